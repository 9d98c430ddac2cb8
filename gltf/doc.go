// Package gltf writes and reads scenes as GLB, the one-file form of glTF 2.0 that modelling programs
// and game engines exchange.
//
//	file, err := gltf.Encode(&gltf.Document{Nodes: nodes, Meshes: meshes, Materials: materials})
//	doc, err := gltf.Decode(file, gltf.Limits{})
//
// What is kept exactly, bit for bit, both ways: names, the hierarchy, translations, rotations and
// scales, extras but for their white space, vertices, normals, triangles and the numbers of materials and lights. Geometry that several
// meshes share is in the file once.
//
// What is read is triangles with base colour, metalness and roughness, as strips and fans too; images that are in the
// file, where [Limits] allow any. They lie by the set of coordinates that their material names, moved as the extension KHR_texture_transform
// says: that is in the Coords of a geometry then, so one that materials move in different ways is as many. Cameras, skins, animations and colours of
// vertices are passed over, and how images are sampled: what is written repeats. Lights are those of the extension
// KHR_lights_punctual, which a file says that it uses and never that it needs: see [Light]. Files that cannot
// be read without another extension, like compressed ones (Draco, meshopt), are refused with its name; numbers may be those of
// KHR_mesh_quantization, of which normals and tangents are made as long as they were.
//
// A file comes from anywhere: Decode refuses what breaks the rules that it relies on, and what
// is larger than [Limits] say, before it takes memory for it.
package gltf
