package gltf

import (
	"encoding/binary"
	"fmt"
	"math"
)

// view returns the bytes of an accessor's elements, which are size bytes each and stride bytes from
// one to the next.
func (d *decoder) view(number, components, size int) (a *accessor, data []byte, stride int, err error) {
	if number < 0 || number >= len(d.file.Accessors) {
		return nil, nil, 0, fmt.Errorf("there is no accessor %d", number)
	}
	a = &d.file.Accessors[number]
	if a.Sparse != nil {
		return nil, nil, 0, fmt.Errorf("accessor %d is sparse, which is not read", number)
	}
	if a.BufferView == nil || *a.BufferView < 0 || *a.BufferView >= len(d.file.BufferViews) {
		return nil, nil, 0, fmt.Errorf("accessor %d has no buffer view", number)
	}
	if data, err = d.viewed(*a.BufferView); err != nil {
		return nil, nil, 0, err
	}
	v := &d.file.BufferViews[*a.BufferView]
	element := components * size
	stride = max(v.ByteStride, element)
	if v.ByteStride != 0 && v.ByteStride < element || stride > 252 {
		return nil, nil, 0, fmt.Errorf("buffer view %d has a stride of %d bytes", *a.BufferView, v.ByteStride)
	}
	if a.Count < 0 || a.ByteOffset < 0 || a.ByteOffset > len(data) {
		return nil, nil, 0, fmt.Errorf("accessor %d goes beyond its buffer view", number)
	}
	data = data[a.ByteOffset:]
	if a.Count > 0 && (len(data) < element || (len(data)-element)/stride < a.Count-1) {
		return nil, nil, 0, fmt.Errorf("accessor %d has %d elements, which go beyond its buffer view", number, a.Count)
	}
	return a, data, stride, nil
}

// viewed returns the bytes of a buffer view that there is.
func (d *decoder) viewed(number int) ([]byte, error) {
	v := &d.file.BufferViews[number]
	if v.Buffer != 0 || len(d.file.Buffers) == 0 || v.ByteOffset < 0 || v.ByteLength < 0 || v.ByteOffset > len(d.bin) || v.ByteLength > len(d.bin)-v.ByteOffset {
		return nil, fmt.Errorf("buffer view %d goes beyond the buffer", number)
	}
	return d.bin[v.ByteOffset : v.ByteOffset+v.ByteLength], nil
}

// number says how a component of some type is read: most is what a normalized one is a part of, 0 if it is a float.
type number struct {
	bytes int
	of    func(at []byte) float32
	most  float32
}

// numberOf returns how components of a type are read that vectors may have; known is false of other types.
func numberOf(componentType int) (n number, known bool) {
	switch componentType {
	case typeSignedByte:
		return number{1, func(at []byte) float32 { return float32(int8(at[0])) }, math.MaxInt8}, true
	case typeByte:
		return number{1, func(at []byte) float32 { return float32(at[0]) }, math.MaxUint8}, true
	case typeSignedShort:
		return number{2, func(at []byte) float32 { return float32(int16(binary.LittleEndian.Uint16(at))) }, math.MaxInt16}, true
	case typeShort:
		return number{2, func(at []byte) float32 { return float32(binary.LittleEndian.Uint16(at)) }, math.MaxUint16}, true
	case typeFloat:
		return number{4, func(at []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(at)) }, 0}, true
	}
	return n, false
}

// vectorsOf returns vectors of floats, or of the whole numbers that the extension KHR_mesh_quantization allows in their place.
func vectorsOf[V [2]float32 | [3]float32 | [4]float32](d *decoder, number int) ([]V, error) {
	var zero V
	size := len(zero)
	kind, _ := numberOf(typeFloat)
	if number >= 0 && number < len(d.file.Accessors) {
		a := &d.file.Accessors[number]
		var known bool
		if kind, known = numberOf(a.ComponentType); !known || a.Type != fmt.Sprint("VEC", size) {
			return nil, fmt.Errorf("accessor %d must have %s floats, or numbers of one byte or two, has %s of %d", number, [...]string{2: "two", 3: "three", 4: "four"}[size], clip(a.Type), a.ComponentType)
		}
	}
	a, data, stride, err := d.view(number, size, kind.bytes)
	if err != nil {
		return nil, err
	}
	if err := d.count(a); err != nil {
		return nil, err
	}
	list := make([]V, a.Count)
	for i := range list {
		for k := range size {
			x := kind.of(data[i*stride+k*kind.bytes:])
			if a.Normalized && kind.most > 0 {
				x = max(x/kind.most, -1)
			}
			list[i][k] = x
		}
	}
	return list, nil
}

// directionsOf returns vectors whose first three numbers are a direction, of length 1 again where they are whole numbers.
func directionsOf[V [3]float32 | [4]float32](d *decoder, number int) ([]V, error) {
	list, err := vectorsOf[V](d, number)
	if err != nil || d.file.Accessors[number].ComponentType == typeFloat {
		return list, err
	}
	for i := range list {
		x, y, z := float64(list[i][0]), float64(list[i][1]), float64(list[i][2])
		if l := math.Sqrt(float64(x*x) + float64(y*y) + float64(z*z)); l > 0 {
			list[i][0], list[i][1], list[i][2] = float32(x/l), float32(y/l), float32(z/l)
		}
	}
	return list, nil
}

// count notes that the elements of an accessor are read.
func (d *decoder) count(a *accessor) error {
	kinds := 2 // positions and normals
	if d.dressed {
		kinds = 4
	}
	if d.vertices += a.Count; d.vertices > d.limits.Vertices*kinds {
		return fmt.Errorf("the file has more than %d vertices, which is what is allowed", d.limits.Vertices)
	}
	return nil
}

// corners returns the numbers of vertices, in the order in which triangles use them.
func (d *decoder) corners(number *int, vertices int) ([]uint32, error) {
	most := 3*d.limits.Triangles + 2
	if number == nil {
		if vertices > most {
			return nil, d.tooMany()
		}
		list := make([]uint32, vertices)
		for i := range list {
			list[i] = uint32(i)
		}
		return list, nil
	}
	size := 0
	if *number >= 0 && *number < len(d.file.Accessors) {
		size = map[int]int{typeByte: 1, typeShort: 2, typeInt: 4}[d.file.Accessors[*number].ComponentType]
		if size == 0 || d.file.Accessors[*number].Type != "SCALAR" {
			return nil, fmt.Errorf("accessor %d must have whole numbers", *number)
		}
	}
	a, data, stride, err := d.view(*number, 1, size)
	if err != nil {
		return nil, err
	}
	if a.Count > most {
		return nil, d.tooMany()
	}
	list := make([]uint32, a.Count)
	for i := range list {
		at := data[i*stride:]
		switch size {
		case 1:
			list[i] = uint32(at[0])
		case 2:
			list[i] = uint32(binary.LittleEndian.Uint16(at))
		case 4:
			list[i] = binary.LittleEndian.Uint32(at)
		}
	}
	return list, nil
}
