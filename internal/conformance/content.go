package main

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"

	"github.com/limina-mcp/limina/registry"
)

// contentTools answer with each type of content.
func contentTools() []tool {
	attach := func(content ...registry.Content) func(*registry.Call, map[string]any) error {
		return func(c *registry.Call, _ map[string]any) error { return c.Attach(content...) }
	}
	return []tool{
		{name: "test_simple_text", about: "Answer with a text.", run: attach(registry.Text("This is a simple text response for testing."))},
		{name: "test_image_content", about: "Answer with an image.", run: attach(registry.Image("image/png", redPixel()))},
		{name: "test_audio_content", about: "Answer with a sound.", run: attach(registry.Audio("audio/wav", silence()))},
		{
			name: "test_embedded_resource", about: "Answer with the contents of a resource.",
			run: attach(registry.Embed(registry.Contents{
				URI: "test://embedded-resource", MIMEType: "text/plain", Text: "This is an embedded resource content.",
			})),
		},
		{
			name: "test_multiple_content_types", about: "Answer with a text, an image and a resource.",
			run: attach(
				registry.Text("Multiple content types test:"),
				registry.Image("image/png", redPixel()),
				registry.Embed(registry.Contents{
					URI: "test://mixed-content-resource", MIMEType: "application/json", Text: `{"test":"data","value":123}`,
				})),
		},
		{
			name: "test_error_handling", about: "Fail.",
			run: func(*registry.Call, map[string]any) error {
				return registry.Failf("This tool intentionally returns an error for testing")
			},
		},
		{
			name: "json_schema_2020_12_tool", about: "Take an input whose schema uses much of JSON Schema 2020-12.",
			schema: `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
				"$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},
				"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},"contactMethod":{"type":"string","enum":["phone","email"]},
					"phone":{"type":"string"},"email":{"type":"string"}},
				"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],
				"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},"then":{"required":["phone"]},"else":{"required":["email"]},
				"additionalProperties":false}`,
			run: func(c *registry.Call, in map[string]any) error { return say(c, "Got %v", in) },
		},
	}
}

// redPixel is a PNG of one pixel.
func redPixel() []byte {
	m := image.NewRGBA(image.Rect(0, 0, 1, 1))
	m.Set(0, 0, color.RGBA{R: 255, A: 255})
	var b bytes.Buffer
	_ = png.Encode(&b, m) // cannot fail into memory
	return b.Bytes()
}

// silence is a WAV file of one sample, 8 bits at 8 kHz.
func silence() []byte {
	samples := []byte{128}
	le := binary.LittleEndian
	b := append([]byte("RIFF"), le.AppendUint32(nil, uint32(36+len(samples)))...)
	b = append(b, "WAVEfmt "...)
	b = le.AppendUint32(b, 16)
	for _, v := range []uint16{1, 1} { // PCM, one channel
		b = le.AppendUint16(b, v)
	}
	b = le.AppendUint32(le.AppendUint32(b, 8000), 8000) // samples and bytes a second
	for _, v := range []uint16{1, 8} {                  // bytes a frame, bits a sample
		b = le.AppendUint16(b, v)
	}
	b = le.AppendUint32(append(b, "data"...), uint32(len(samples)))
	return append(b, samples...)
}
