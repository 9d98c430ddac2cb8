package gltf

import "encoding/json"

// What the JSON of a file says, as far as it is written or read. Names are those of the
// specification: https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html

type file struct {
	Asset              asset        `json:"asset"`
	ExtensionsUsed     []string     `json:"extensionsUsed,omitempty"`
	ExtensionsRequired []string     `json:"extensionsRequired,omitempty"`
	Extensions         *ofFile      `json:"extensions,omitempty"`
	Scene              *int         `json:"scene,omitempty"`
	Scenes             []scene      `json:"scenes,omitempty"`
	Nodes              []node       `json:"nodes,omitempty"`
	Meshes             []mesh       `json:"meshes,omitempty"`
	Materials          []material   `json:"materials,omitempty"`
	Accessors          []accessor   `json:"accessors,omitempty"`
	BufferViews        []bufferView `json:"bufferViews,omitempty"`
	Buffers            []buffer     `json:"buffers,omitempty"`
	Textures           []texture    `json:"textures,omitempty"`
	Samplers           []sampler    `json:"samplers,omitempty"`
	Images             []picture    `json:"images,omitempty"`

	Animations json.RawMessage `json:"animations,omitempty"` // written only: a file is not refused for those that are not read
}

type asset struct {
	Version    string `json:"version"`
	MinVersion string `json:"minVersion,omitempty"`
	Generator  string `json:"generator,omitempty"`
}

type scene struct {
	Nodes  []int           `json:"nodes,omitempty"`
	Extras json.RawMessage `json:"extras,omitempty"`
}

type node struct {
	Name        string          `json:"name,omitempty"`
	Children    []int           `json:"children,omitempty"`
	Mesh        *int            `json:"mesh,omitempty"`
	Matrix      *[16]float64    `json:"matrix,omitempty"`
	Translation *[3]float64     `json:"translation,omitempty"`
	Rotation    *[4]float64     `json:"rotation,omitempty"`
	Scale       *[3]float64     `json:"scale,omitempty"`
	Extensions  *ofNode         `json:"extensions,omitempty"`
	Extras      json.RawMessage `json:"extras,omitempty"`
}

// lightsName is the extension by which files have lights. Its names, defaults and bounds are those of
// https://github.com/KhronosGroup/glTF/tree/main/extensions/2.0/Khronos/KHR_lights_punctual
const lightsName = "KHR_lights_punctual"

// ofFile is the extensions of a file.
type ofFile struct {
	Lights *lightList `json:"KHR_lights_punctual,omitempty"`
}

type lightList struct {
	Lights []light `json:"lights"`
}

// ofNode is the extensions of a node.
type ofNode struct {
	Light *lightNumber `json:"KHR_lights_punctual,omitempty"`
}

type lightNumber struct {
	Light *int `json:"light"`
}

type light struct {
	Name      string    `json:"name,omitempty"`
	Type      string    `json:"type"`
	Color     []float64 `json:"color,omitempty"`
	Intensity *float64  `json:"intensity,omitempty"`
	Range     *float64  `json:"range,omitempty"`
	Spot      *cone     `json:"spot,omitempty"`
}

type cone struct {
	Inner *float64 `json:"innerConeAngle,omitempty"`
	Outer *float64 `json:"outerConeAngle,omitempty"`
}

type mesh struct {
	Name       string      `json:"name,omitempty"`
	Primitives []primitive `json:"primitives"`
}

type primitive struct {
	Attributes map[string]int  `json:"attributes"`
	Indices    *int            `json:"indices,omitempty"`
	Material   *int            `json:"material,omitempty"`
	Mode       *int            `json:"mode,omitempty"`
	Extensions json.RawMessage `json:"extensions,omitempty"`
}

// The modes of primitives that have triangles.
const (
	modeTriangles = 4
	modeStrip     = 5
	modeFan       = 6
)

type material struct {
	Name        string `json:"name,omitempty"`
	PBR         *pbr   `json:"pbrMetallicRoughness,omitempty"`
	Normal      *worn  `json:"normalTexture,omitempty"`
	DoubleSided bool   `json:"doubleSided,omitempty"`
	AlphaMode   string `json:"alphaMode,omitempty"`

	// Which alpha is enough, where alphaMode is MASK.
	AlphaCutoff *float64 `json:"alphaCutoff,omitempty"`

	// Light that it gives off: read by itself, so that a file is not refused for that.
	EmissiveFactor  json.RawMessage `json:"emissiveFactor,omitempty"`
	EmissiveTexture json.RawMessage `json:"emissiveTexture,omitempty"`
	Extensions      json.RawMessage `json:"extensions,omitempty"`

	Extras json.RawMessage `json:"extras,omitempty"`
}

// The modes of alpha: how much of what is behind a surface it keeps from sight, or whether a point of it is there at all.
const (
	blend = "BLEND"
	mask  = "MASK"
)

// cutoff is what alphaCutoff is if it is not said.
const cutoff = 0.5

type pbr struct {
	BaseColorFactor *[4]float64 `json:"baseColorFactor,omitempty"`
	MetallicFactor  *float64    `json:"metallicFactor,omitempty"`
	RoughnessFactor *float64    `json:"roughnessFactor,omitempty"`
	Color           *worn       `json:"baseColorTexture,omitempty"`
	Surface         *worn       `json:"metallicRoughnessTexture,omitempty"`
}

// worn is a texture on a material.
type worn struct {
	Index int      `json:"index"`
	Coord int      `json:"texCoord,omitempty"`
	Scale *float64 `json:"scale,omitempty"` // of normals

	Extensions *struct {
		Transform json.RawMessage `json:"KHR_texture_transform"` // of what is wrong in it only the image is lost
	} `json:"extensions,omitempty"`
}

// strengthName is the extension by which light that a material gives off is stronger:
// https://github.com/KhronosGroup/glTF/tree/main/extensions/2.0/Khronos/KHR_materials_emissive_strength
const strengthName = "KHR_materials_emissive_strength"

// transformName is the extension by which images lie elsewhere than the coordinates say:
// https://github.com/KhronosGroup/glTF/tree/main/extensions/2.0/Khronos/KHR_texture_transform
const transformName = "KHR_texture_transform"

// https://github.com/KhronosGroup/glTF/tree/main/extensions/2.0/Khronos/KHR_mesh_quantization
const quantizedName = "KHR_mesh_quantization"

// transform is what it says of a texture.
type transform struct {
	Offset   []float64 `json:"offset"`
	Rotation float64   `json:"rotation"`
	Scale    []float64 `json:"scale"`
	Coord    *int      `json:"texCoord"`
}

type texture struct {
	Sampler *int `json:"sampler,omitempty"`
	Source  *int `json:"source,omitempty"`
}

// sampler says how an image is looked at. That it repeats need not be said.
type sampler struct {
	Mag int `json:"magFilter,omitempty"`
	Min int `json:"minFilter,omitempty"`
}

// smooth is between texels near by, and between smaller and smaller images from afar.
var smooth = sampler{Mag: 9729, Min: 9987}

// picture is an image.
type picture struct {
	Name       string `json:"name,omitempty"`
	MIME       string `json:"mimeType,omitempty"`
	BufferView *int   `json:"bufferView,omitempty"`
	URI        string `json:"uri,omitempty"`
}

type accessor struct {
	BufferView    *int            `json:"bufferView,omitempty"`
	ByteOffset    int             `json:"byteOffset,omitempty"`
	ComponentType int             `json:"componentType"`
	Normalized    bool            `json:"normalized,omitempty"`
	Count         int             `json:"count"`
	Type          string          `json:"type"`
	Min           []float64       `json:"min,omitempty"`
	Max           []float64       `json:"max,omitempty"`
	Sparse        json.RawMessage `json:"sparse,omitempty"`
}

// Component types.
const (
	typeSignedByte  = 5120
	typeSignedShort = 5122
	typeByte        = 5121 // unsigned
	typeShort       = 5123 // unsigned
	typeInt         = 5125 // unsigned
	typeFloat       = 5126
	targetData      = 34962 // a buffer of vertices
	targetIdx       = 34963 // a buffer of indices
)

type bufferView struct {
	Buffer     int `json:"buffer"`
	ByteOffset int `json:"byteOffset,omitempty"`
	ByteLength int `json:"byteLength"`
	ByteStride int `json:"byteStride,omitempty"`
	Target     int `json:"target,omitempty"`
}

type buffer struct {
	ByteLength int    `json:"byteLength"`
	URI        string `json:"uri,omitempty"`
}

// A GLB is a header of twelve bytes and chunks, each a length, a kind and its data, padded to
// four bytes.
const (
	magic      = 0x46546c67 // "glTF"
	chunkJSON  = 0x4e4f534a // "JSON"
	chunkBIN   = 0x004e4942 // "BIN\0"
	headerSize = 12
	chunkHead  = 8
)
