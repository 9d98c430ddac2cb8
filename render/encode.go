package render

import (
	"bytes"
	"fmt"
	"image/jpeg"
	"image/png"
)

// Format is a format of picture files.
type Format string

// The formats.
const (
	Auto Format = "auto" // PNG if that is small enough, else JPEG
	PNG  Format = "png"
	JPEG Format = "jpeg"
)

// File is a picture as a file.
type File struct {
	MIME string
	Data []byte
}

// Encode returns a picture as a file of at most limit bytes; 0 is no limit. JPEG is made coarser until
// it fits. The error says that no form of the picture is that small.
func (p *Picture) Encode(f Format, limit int) (File, error) {
	small := func(b *bytes.Buffer) bool { return limit == 0 || b.Len() <= limit }
	var b bytes.Buffer
	if f == PNG || f == Auto && (limit == 0 || p.edges() < limit/2) {
		e := png.Encoder{CompressionLevel: png.DefaultCompression}
		if err := e.Encode(&b, p.Image); err != nil {
			return File{}, err
		}
		if small(&b) {
			return File{"image/png", b.Bytes()}, nil
		}
	}
	if f != PNG {
		for _, quality := range []int{88, 80, 70, 55, 40, 25, 10} {
			b.Reset()
			if err := jpeg.Encode(&b, p.Image, &jpeg.Options{Quality: quality}); err != nil {
				return File{}, err
			}
			if small(&b) {
				return File{"image/jpeg", b.Bytes()}, nil
			}
		}
	}
	remedy := "make width and height smaller"
	if f == PNG {
		remedy = "take auto, or " + remedy
	}
	return File{}, fmt.Errorf("format: %d×%d pixels as %s take %d bytes, %d are allowed: %s",
		p.Image.Rect.Dx(), p.Image.Rect.Dy(), f, b.Len(), limit, remedy)
}

// edges counts the pixels that differ from the one on the left and from the one above: a PNG takes about
// two bytes for each.
func (p *Picture) edges() (n int) {
	img := p.Image
	for y := 1; y < img.Rect.Dy(); y++ {
		above, row := img.Pix[(y-1)*img.Stride:y*img.Stride], img.Pix[y*img.Stride:]
		for x := 4; x < 4*img.Rect.Dx(); x += 4 {
			if [3]uint8(row[x:x+3]) != [3]uint8(row[x-4:x-1]) && [3]uint8(row[x:x+3]) != [3]uint8(above[x:x+3]) {
				n++
			}
		}
	}
	return n
}
