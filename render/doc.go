// Package render draws pictures of a scene on the CPU: no GPU, no browser, no window.
//
// A [Scene] is a value: objects with a shape and a place, a sun, lamps, water, particles, texts. [Draw] makes a
// [Picture] of it, seen as [Options] say, together with what a program wants to know of a picture: the
// cameras that saw it, and which objects show where, in pixels. [Picture.Encode] turns it into a PNG
// or JPEG of bounded size.
//
//	pic, err := render.Draw(&render.Scene{Objects: objects}, render.Options{View: render.Sheet})
//	file, err := pic.Encode(render.Auto, 70<<10)
//
// # How it draws
//
// Every shape becomes flat convex polygons. They are projected in float64, their corners rounded to a
// sixteenth of a pixel and filled in integers, so that neighbours neither overlap nor leave gaps. A
// first pass keeps, for each of four samples in a pixel, which polygon is nearest and how near; the
// second colours each pixel once, or four times at edges. The sun takes
// such a picture, too: where its samples do not tell for a whole pixel what is in the shade, its polygons are asked. Of lamps each takes six.
// What is far away of ground is drawn coarser. The ground, its metre grid and water are computed per pixel.
// Images that lie on objects ([Surface]) are looked up for each pixel, in copies of them that are as coarse as the pixel.
// What is clear is filled apart from the rest, and laid over it. What a scene's [Post] says is done to the pixels then.
//
// # The same everywhere
//
// The same scene and options give the same bytes on every platform and with any number of workers:
// products are rounded by float64(x*y) before they are summed (see package world), angles go
// through the world's own sine, and each pixel is computed from its place alone.
//
// # Concurrency
//
// Draw keeps nothing between calls and only reads the scene: it may be called concurrently, also with
// one scene.
package render
