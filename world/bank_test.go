package world

import (
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// TestBank holds a bank to a map: what was put into a seat is there until it is taken out as often as it was put in, and a seat that is free is empty,
// whatever else comes and goes. What is the same shares a seat, or has one of its own.
func TestBank(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b bank[string]
		of := teller[string]{&b}
		want := map[seat]string{}
		holders := map[seat]int{}
		var taken []seat // each as often as it is
		most := 0
		put := func(at seat, value string, alone bool) {
			if there, ok := want[at]; ok && (there != value || alone) {
				t.Fatalf("seat %d holds %q, and was given for %q", at, there, value)
			}
			want[at] = value
			holders[at]++
			taken = append(taken, at)
			most = max(most, len(want))
		}
		free := func(i int) {
			at := taken[i]
			of.free(at)
			if holders[at]--; holders[at] == 0 {
				delete(want, at)
				delete(holders, at)
			}
			taken = slices.Delete(taken, i, i+1)
		}
		palette := rapid.SliceOfN(rapid.String(), 1, 5).Draw(t, "palette")
		many := rapid.SampledFrom([]int{3 * bankSize, bankSize + 1, bankSize, bankSize - 1, 7, 1})
		for range rapid.IntRange(4, 20).Draw(t, "turns") {
			switch rapid.SampledFrom([]string{"put", "put", "copy", "blank", "free", "page", "page", "page"}).Draw(t, "what") {
			case "put": // one of a few, each of its own, or both in turns
				kind := rapid.IntRange(0, 2).Draw(t, "kind")
				for i := range many.Draw(t, "n") {
					value := palette[i%len(palette)]
					if kind == 1 || kind == 2 && i%2 == 1 {
						value = strconv.Itoa(i)
					}
					put(b.put(value), value, false)
				}
			case "copy":
				if len(taken) > 0 {
					from := rapid.SampledFrom(taken).Draw(t, "from")
					if at := of.copy(from); at != from {
						t.Fatalf("a copy of what is in seat %d is in seat %d", from, at)
					}
					put(from, want[from], false)
				}
			case "blank":
				put(of.blank(), "", true)
			case "free": // some that were put in after one another, or every second of them
				every := rapid.IntRange(1, 2).Draw(t, "every")
				i := rapid.IntRange(0, len(taken)).Draw(t, "i")
				for n := many.Draw(t, "n"); n > 0 && i < len(taken); n, i = n-1, i+every-1 {
					free(i)
				}
			case "page": // all of a page
				page := rapid.SampledFrom([]seat{2, 1, 3, 0}).Draw(t, "page")
				for i := len(taken) - 1; i >= 0; i-- {
					if taken[i]>>bankBits == page {
						free(i)
					}
				}
			}
			for at, value := range want {
				if got := *b.at(at); got != value || *of.ref(at).(*string) != value || of.holders(at) != holders[at] {
					t.Fatalf("seat %d holds %q for %d, want %q for %d", at, got, of.holders(at), value, holders[at])
				}
			}
			checkRoom(t, &b, len(want))
			if pages := (most + bankSize - 1) / bankSize; len(b.pages) != pages {
				t.Fatalf("there are %d pages for at most %d values, want %d", len(b.pages), most, pages)
			}
		}
	})
}

// TestSameValues holds that a bank with more than a few values keeps those of a few kinds once, however many there are, and each of the others.
func TestSameValues(t *testing.T) {
	var b bank[Shape]
	of := teller[Shape]{&b}
	var taken []seat
	put := func(s Shape) { taken = append(taken, b.put(s)) }
	for i := range 2 * sharedFrom {
		put(Shape{Kind: "box", Color: uint32(i)})
	}
	for i := range 10_000 {
		put(Shape{Kind: "sphere", Color: 1 << (i % 3)})
	}
	if got, want := of.taken(), 2*sharedFrom+3; got != want {
		t.Errorf("%d values that differ take %d seats", want, got)
	}
	for _, at := range taken {
		of.free(at)
	}
	if got := of.taken(); got != 0 {
		t.Errorf("%d seats are taken when every value is out", got)
	}
	put(Shape{Kind: "sphere", Color: 1})
	if got := *b.at(taken[len(taken)-1]); got != (Shape{Kind: "sphere", Color: 1}) {
		t.Errorf("a seat holds %+v", got)
	}
}

// TestSameWithGaps holds that values share whose types have bytes that belong to no field: those are anything in a value that came in registers.
func TestSameWithGaps(t *testing.T) {
	var b bank[Light]
	of := teller[Light]{&b}
	for i := range 2 * sharedFrom {
		b.put(Light{Kind: "point", Color: uint32(i)})
	}
	before := of.taken()
	for i := range 1000 {
		at := b.put(Light{Kind: "spot", Color: 7, Intensity: 1, Range: 12, Angle: 0.5})
		if got := *b.at(at); got != (Light{Kind: "spot", Color: 7, Intensity: 1, Range: 12, Angle: 0.5}) {
			t.Fatalf("value %d has become %+v", i, got)
		}
	}
	if got := of.taken() - before; got != 1 {
		t.Errorf("lights that are the same take %d seats", got)
	}
}

// TestLoneValues holds that a bank which has found nothing like its values for long looks for the same again when there are any.
func TestLoneValues(t *testing.T) {
	var b bank[Shape]
	of := teller[Shape]{&b}
	for i := range 10 * loneFrom {
		b.put(Shape{Kind: "box", Color: uint32(i)})
	}
	before := of.taken()
	if before != 10*loneFrom {
		t.Fatalf("%d values that differ take %d seats", 10*loneFrom, before)
	}
	for range 10_000 {
		b.put(Shape{Kind: "sphere"})
	}
	if got := of.taken() - before; got > 2*lookEvery {
		t.Errorf("values that are the same take %d seats", got)
	}
}

// TestSameTexts holds that values which are read, as those of a world that is loaded, share seats as well, with others that were read and with no others'.
func TestSameTexts(t *testing.T) {
	var b bank[Shape]
	of := teller[Shape]{&b}
	v := newVault(nil, "shape", of)
	if err := v.codec.writable(); err != nil {
		t.Fatal(err)
	}
	for i := range 2 * sharedFrom {
		b.put(Shape{Kind: "box", Color: uint32(i)})
	}
	before := of.taken()
	red, blue := Shape{Kind: "sphere", Size: Vec3{1, 2, 3}, Color: 0xff0000}, Shape{Kind: "sphere", Size: Vec3{1, 2, 3}, Color: 0xff}
	for i := range 1000 {
		want := red
		if i%2 == 1 {
			want = blue
		}
		at, err := v.read(v.codec.append(nil, &want))
		if err != nil || *b.at(at) != want {
			t.Fatalf("%+v was read as %+v: %v", want, *b.at(at), err)
		}
	}
	if got := of.taken() - before; got != 2 {
		t.Errorf("two values that differ take %d seats", got)
	}
	if at, err := v.read([]byte(`{"kind":7}`)); err == nil {
		t.Errorf("a number is a kind: %+v", *b.at(at))
	}
	if got := of.taken() - before; got != 2 {
		t.Errorf("with one that cannot be read, two take %d", got)
	}
}

// checkRoom holds a bank to what it may keep: no value that was taken out, and of the pages without values the first and one more.
func checkRoom(t *rapid.T, b *bank[string], taken int) {
	count, spare := 0, 0
	for n, page := range b.pages {
		p := &b.room.pages[n]
		count += p.count
		if page == nil && p.first != nil {
			t.Fatalf("page %d was given back, and is kept nevertheless", n)
		}
		if p.count == 0 && n > 0 && page != nil {
			spare++
		}
		for i, value := range page {
			if free := p.taken[i/64]&(1<<(i%64)) == 0; free && value != "" {
				t.Fatalf("seat %d is free and holds %q", n*bankSize+i, value)
			}
		}
	}
	if count != taken || spare > 1 {
		t.Fatalf("%d seats are taken and %d pages kept for nothing, want %d and at most 1", count, spare, taken)
	}
}
