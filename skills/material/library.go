package material

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/render"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/world"
)

// Limits of what a world keeps.
const (
	MaxMaterials = 256
	MaxName      = 64       // bytes of a name
	MaxSide      = 2048     // pixels of an image, each way
	MaxFile      = 4 << 20  // bytes of an image
	MaxBytes     = 32 << 20 // of all images
)

// setsName is the name of the table of sets.
const setsName = "materials"

// Set is what an imported material is made of: a row of the table "materials". Images are named by the sha256 of their files, in
// hexadecimal digits. What they are to a surface, package render says: [render.Surface].
type Set struct {
	Albedo         string  `json:"albedo"`
	Normal         string  `json:"normal,omitempty"`
	Roughness      string  `json:"roughness,omitempty"`
	Light          string  `json:"light,omitempty"`
	Mapped         bool    `json:"mapped,omitempty"` // on meshes that say where images lie on them, they lie so
	Triplanar      bool    `json:"triplanar,omitempty"`
	Scale          float64 `json:"scale"` // how often the images repeat in a metre
	NormalStrength float64 `json:"normalStrength"`
	Sharpness      float64 `json:"sharpness"`
	Metalness      float64 `json:"metalness"`
	BaseRoughness  float64 `json:"baseRoughness"`
	Color          uint32  `json:"color"`            // tints the albedo
	Cutoff         float64 `json:"cutoff,omitempty"` // where the albedo is less opaque there is nothing; 0: its alpha counts for nothing
	Mean           uint32  `json:"mean"`             // of the albedo, not tinted: what it is from afar, and where it cannot be shown
}

// Images returns the names of the images of a set: of albedo, normal, roughness and light, "" for those that it has not.
func (s *Set) Images() [4]string { return [...]string{s.Albedo, s.Normal, s.Roughness, s.Light} }

// Plain returns the colour that is nearest to a set, 0xRRGGBB, on what has a colour of its own.
func (s *Set) Plain(own uint32) (color uint32) { return product(s.Mean, s.Color, own) }

// Tint returns what the albedo of a set is multiplied by, 0xRRGGBB, on what has a colour of its own.
func (s *Set) Tint(own uint32) (color uint32) { return product(white, s.Color, own) }

// product multiplies three colours.
func product(a, b, c uint32) (color uint32) {
	for shift := 0; shift < 24; shift += 8 {
		part := a >> shift & 0xff * (b >> shift & 0xff) * (c >> shift & 0xff)
		color |= (part + 255*255/2) / (255 * 255) << shift
	}
	return color
}

// Image is an image file.
type Image struct {
	Hash  string // its sha256, in hexadecimal digits
	Bytes []byte
	Mean  uint32 // of its colours, 0xRRGGBB
}

// file is an image as the world keeps it, once however many materials have it.
type file struct {
	Bytes []byte `json:"bytes"`
}

// Library is the imported materials of a world, which has one. Viewers see the sets, in the table "materials", but not the images
// themselves. Its methods read through a View and write through a Tx.
type Library struct {
	sets  *world.Table[string, Set]
	files *world.Table[string, file]
}

// New declares in w what imported materials need.
func New(w *world.World) *Library {
	return &Library{
		sets:  world.NewTable[string, Set](w, setsName, MaxMaterials),
		files: world.NewTable[string, file](w, "material.images", 4*MaxMaterials, world.Private),
	}
}

// SetOf returns the set of a material that was imported into a world; ok is false if there is none of that name.
func SetOf(v *world.View, name string) (s Set, ok bool) {
	if sets := setsOf(v); sets != nil {
		return sets.Get(v, name)
	}
	return s, false
}

func setsOf(v *world.View) *world.Table[string, Set] { return world.TableOf[string, Set](v, setsName) }

// File returns the file of an image, which is not to be changed; ok is false if no material has it.
func (l *Library) File(v *world.View, hash string) (data []byte, ok bool) {
	f, ok := l.files.Get(v, hash)
	return f.Bytes, ok
}

// Fits reports whether there is room for a material more, of these images or those that the world keeps already. Its error is that of [Library.Import].
func (l *Library) Fits(v *world.View, images ...Image) error {
	if l.sets.Len(v) == MaxMaterials {
		return l.full(v)
	}
	kept, counted := 0, map[string]bool{}
	for _, f := range l.files.All(v) {
		kept += len(f.Bytes)
	}
	for _, img := range images {
		if _, there := l.files.Get(v, img.Hash); !there && !counted[img.Hash] {
			counted[img.Hash] = true
			kept += len(img.Bytes)
		}
	}
	return tooMuch(kept)
}

func (l *Library) full(v *world.View) error {
	return registry.Errorf(registry.CodeCapacityExceeded,
		"name: the world has %d imported materials, which is the most; remove those that nothing has (material.remove), or import it under the name of one of them, such as %q, to replace that", MaxMaterials, quote.Clip(l.first(v)))
}

// tooMuch refuses so many bytes of images, if they are.
func tooMuch(kept int) error {
	if kept <= MaxBytes {
		return nil
	}
	return registry.Errorf(registry.CodeCapacityExceeded, "with these images the world would keep %d bytes of them, at most %d are allowed: take smaller ones, or remove materials that nothing has (material.remove)", kept, MaxBytes)
}

// Import makes a set, of these images or those that the world keeps already, the material of a name, in place of the one of that name if there is one. Nothing is written
// if it is that already. It fails if the name is that of a material that every world has, or if the world keeps as much as it may.
func (l *Library) Import(tx *world.Tx, name string, s Set, images ...Image) (replaced bool, err error) {
	if IsBuiltin(name) {
		return false, Taken(name)
	}
	old, replaced := l.sets.Get(&tx.View, name)
	if replaced && old == s {
		return true, nil
	}
	if !replaced && l.sets.Len(&tx.View) == MaxMaterials {
		return false, l.full(&tx.View)
	}
	if err := l.sets.Set(tx, name, s); err != nil {
		return false, err
	}
	for _, img := range images {
		if _, there := l.files.Get(&tx.View, img.Hash); there {
			continue
		}
		if err := l.files.Set(tx, img.Hash, file{img.Bytes}); err != nil {
			return false, err
		}
	}
	return replaced, tooMuch(l.tidy(tx))
}

// Names returns the names of all imported materials, in order.
func (l *Library) Names(v *world.View) []string {
	names := make([]string, 0, l.sets.Len(v))
	for name := range l.sets.All(v) {
		names = append(names, name)
	}
	return names
}

// Remove removes an imported material, and the images that no other one has. What has it, looks as if it had none. It fails if there is none of the name.
func (l *Library) Remove(tx *world.Tx, name string) error {
	if IsBuiltin(name) {
		return registry.Invalidf("name: %s is a material that every world has, and keeps", name)
	}
	if _, ok := l.sets.Get(&tx.View, name); !ok {
		return l.unknown(&tx.View, name)
	}
	l.sets.Delete(tx, name)
	l.tidy(tx)
	return nil
}

// unknown is the refusal of a name that no imported material has.
func (l *Library) unknown(v *world.View, name string) error {
	names := l.Names(v)
	near := wire.Nearest(name, names)
	switch {
	case len(names) == 0:
		return registry.Failf("name: there is no imported material %s; the world has none", quote.Clip(name))
	case near == "":
		near = names[0]
	}
	return registry.Failf("name: there is no imported material %s; there are %d, such as %s", quote.Clip(name), len(names), quote.Clip(near))
}

// Taken is the refusal of the name of a material that every world has.
func Taken(name string) error {
	return registry.Invalidf("name: %s is a material that every world has; choose another name", name)
}

func (l *Library) first(v *world.View) string {
	for name := range l.sets.All(v) {
		return name
	}
	return ""
}

// tidy lets go of images that no material has, and returns how many bytes the others have.
func (l *Library) tidy(tx *world.Tx) (bytes int) {
	used := map[string]bool{}
	for _, s := range l.sets.All(&tx.View) {
		for _, hash := range s.Images() {
			used[hash] = true
		}
	}
	var gone []string
	for hash, f := range l.files.All(&tx.View) {
		if used[hash] {
			bytes += len(f.Bytes)
		} else {
			gone = append(gone, hash)
		}
	}
	for _, hash := range gone {
		l.files.Delete(tx, hash)
	}
	return bytes
}

// Formats of images.
const (
	PNG  = "image/png"
	JPEG = "image/jpeg"
)

// MIME returns the format of an image file, by how it begins; "" if it is none that can be imported.
func MIME(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		return PNG
	case bytes.HasPrefix(data, []byte("\xff\xd8\xff")):
		return JPEG
	}
	return ""
}

// Decode returns the picture in an image file. How large it is is looked at before anything else is read. The error says what is
// wrong with the file.
func Decode(data []byte) (image.Image, error) { return decode(data, MaxSide, MaxSide*MaxSide) }

// decode is Decode of a picture that has so many pixels each way, and in all.
func decode(data []byte, side, pixels int) (image.Image, error) {
	head, whole := png.DecodeConfig, png.Decode
	switch MIME(data) {
	case PNG:
	case JPEG:
		head, whole = jpeg.DecodeConfig, jpeg.Decode
	default:
		return nil, registry.Invalidf("this is no PNG or JPEG image")
	}
	c, err := head(bytes.NewReader(data))
	if err != nil {
		return nil, registry.Invalidf("it cannot be read: %s", err)
	}
	if min(c.Width, c.Height) < 1 || c.Width > side || c.Height > side || c.Width*c.Height > pixels {
		all := ""
		if pixels < side*side {
			all = fmt.Sprintf(", %d in all,", pixels)
		}
		return nil, registry.Errorf(registry.CodeCapacityExceeded, "it has %d×%d pixels, from 1×1 to %d×%d%s are allowed", c.Width, c.Height, side, side, all)
	}
	if n := scans(data); n > maxScans {
		return nil, registry.Errorf(registry.CodeCapacityExceeded, "it goes over its pixels %d times, %d times are allowed: save it as a JPEG that is not progressive", n, maxScans)
	}
	img, err := whole(bytes.NewReader(data))
	if err != nil {
		return nil, registry.Invalidf("it cannot be read: %s", err)
	}
	return img, nil
}

// maxScans is how often a JPEG image may go over its pixels: those that programs write do about ten times. Each time is a few bytes in the file, and takes a
// fiftieth of a second of 4096×4096 pixels.
const maxScans = 100

// scans returns how often an image goes over its pixels at most. What the pixels are is never mistaken for the beginning of a scan, but what else is in the file may be,
// once in 65,536 bytes.
func scans(data []byte) int {
	if MIME(data) != JPEG {
		return 1
	}
	return bytes.Count(data, []byte("\xff\xda"))
}

// Read takes an image file for one of a material, if it is one that is good.
func Read(data []byte) (Image, error) {
	img, err := Decode(data)
	if err != nil {
		return Image{}, err
	}
	return imageOf(data, render.NewTexture(img, 1)), nil
}

func imageOf(data []byte, t *render.Texture) Image {
	sum := sha256.Sum256(data)
	return Image{hex.EncodeToString(sum[:]), data, t.Mean()}
}

// Limits of an image that is made smaller.
const (
	mostSide   = 8192
	mostPixels = 4096 * 4096
)

// quality is that of JPEG files that are made.
const quality = 90

// Shrink is [Read] of an image that may be larger than those of materials are: it is made as small as it has to be, by halves. How many pixels it had and has
// are the same where it is as it was. The same file gives the same image on every platform, but perhaps not with another version of Go.
func Shrink(data []byte) (img Image, had, has image.Point, err error) {
	pic, err := decode(data, mostSide, mostPixels)
	if err != nil {
		return img, had, has, err
	}
	had = pic.Bounds().Size()
	if max(had.X, had.Y) <= MaxSide && len(data) <= MaxFile {
		return imageOf(data, render.NewTexture(pic, 1)), had, had, nil
	}
	for side := MaxSide; ; side /= 2 {
		t := render.NewTexture(pic, side)
		small := t.Image()
		file, err := encode(small, MIME(data))
		if err != nil {
			return img, had, has, err
		}
		if len(file) <= MaxFile {
			return imageOf(file, t), had, small.Bounds().Size(), nil
		}
	}
}

// encode writes an image as a file of a format, or, where that is too large and the image is opaque, as JPEG.
func encode(img *image.NRGBA, format string) ([]byte, error) {
	var b bytes.Buffer
	if format == PNG {
		if err := png.Encode(&b, img); err != nil {
			return nil, err
		}
		if b.Len() <= MaxFile || !img.Opaque() {
			return b.Bytes(), nil
		}
		b.Reset()
	}
	err := jpeg.Encode(&b, img, &jpeg.Options{Quality: quality})
	return b.Bytes(), err
}
