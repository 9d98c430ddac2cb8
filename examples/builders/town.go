package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/limina-mcp/limina/client"
)

// Metres between houses, and between streets.
const (
	plot  = 14.0
	block = 40.0
)

var names = []string{"ada", "ben", "cleo", "dora", "emil", "fay", "gus", "hana", "ivo", "june", "kai", "lea"}

// street is where one builder works.
type street struct {
	tag   string // on everything that stands there
	z     float64
	start float64 // x of the first house
}

// plan of the streets, from z on.
func streets(p plan, z float64) []street {
	town := strings.ToLower(rand.Text()[:4]) // other towns may stand here already
	all := make([]street, p.builders)
	for i := range all {
		all[i] = street{
			tag: fmt.Sprintf("street %d of %s", i+1, town),
			z:   z + block*float64(i), start: -plot * float64(p.houses-1) / 2,
		}
	}
	return all
}

// area is a street and those beside it, to their ends.
func (s street) area() client.Area {
	half := -s.start + plot
	return client.Within([3]float64{0, 0, s.z}, math.Hypot(half, block+plot))
}

// neighbours returns the streets that area holds: the one before, the street itself, the one behind.
func neighbours(all []street, i int) []street {
	return all[max(i-1, 0):min(i+2, len(all))]
}

// build has the builders raise the town, and checks what they saw.
func build(ctx context.Context, p plan, out io.Writer) error {
	mayor, err := arrive(ctx, p, "mayor")
	if err != nil {
		return err
	}
	defer mayor.Close()
	z, err := vacant(ctx, mayor)
	if err != nil {
		return err
	}
	all := streets(p, z)
	fmt.Fprintf(out, "%d builders, %d houses each, on %s\n", p.builders, p.houses, p.url)
	crew := make([]*builder, p.builders)
	for i := range crew {
		name := names[i%len(names)]
		if i >= len(names) {
			name += fmt.Sprint(i / len(names))
		}
		b, err := hire(ctx, p, name, all, i)
		if err != nil {
			return err
		}
		defer b.client.Close()
		crew[i] = b
	}
	overview, err := mayor.Subscribe(ctx, client.Subscription{Area: client.Whole()})
	if err != nil {
		return err
	}
	if err := work(ctx, crew, overview, out); err != nil {
		return err
	}
	return judge(ctx, mayor, overview, crew, out)
}

// vacant returns the z from which on nothing stands.
func vacant(ctx context.Context, c *client.Client) (float64, error) {
	var world struct {
		Bounds *struct{ Max [3]float64 }
	}
	if err := call(ctx, c, "scene.inspect", nil, &world); err != nil {
		return 0, err
	}
	if world.Bounds == nil {
		return 0, nil
	}
	return world.Bounds.Max[2] + 2*block, nil
}

// work has everybody build, and says meanwhile how many entities each of them sees.
func work(ctx context.Context, crew []*builder, overview *client.View, out io.Writer) error {
	begun := time.Now()
	tell := func() {
		fmt.Fprintf(out, "%5.1f s  world %4d  ", time.Since(begun).Seconds(), overview.Len())
		for _, b := range crew {
			fmt.Fprintf(out, " %s %d", b.name, b.view.Len())
		}
		fmt.Fprintln(out)
	}
	done := make(chan struct{})
	g, ctx := errgroup.WithContext(ctx)
	for _, b := range crew {
		g.Go(func() error { return b.work(ctx) })
	}
	var live errgroup.Group
	live.Go(func() error {
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				tell()
			case <-done:
				return nil
			}
		}
	})
	err := g.Wait()
	close(done)
	_ = live.Wait()
	if err == nil {
		tell()
	}
	return err
}

// judge holds every copy against scene.inspect.
func judge(ctx context.Context, mayor *client.Client, overview *client.View, crew []*builder, out io.Writer) error {
	truth := map[string]int{}
	total := 0
	for _, b := range crew {
		var found struct{ EntityCount int }
		if err := call(ctx, mayor, "scene.inspect", map[string]any{"tag": b.street.tag}, &found); err != nil {
			return err
		}
		if found.EntityCount != b.built {
			return fmt.Errorf("%s built %d entities, the server has %d", b.name, b.built, found.EntityCount)
		}
		truth[b.street.tag] = found.EntityCount
		total += found.EntityCount
	}
	for _, b := range crew {
		if err := agree(ctx, b.name, b.view, truth, b.near); err != nil {
			return err
		}
		counts := count(b.view)
		fmt.Fprintf(out, "%-5s built %d; sees %d:", b.name, b.built, b.view.Len())
		for _, s := range b.near {
			fmt.Fprintf(out, " %d on %s,", counts[s.tag], s.tag)
		}
		fmt.Fprintf(out, " as of tick %d\n", b.view.Tick())
	}
	if err := agree(ctx, "the mayor", overview, truth, streetsOf(crew)); err != nil {
		return err
	}
	fmt.Fprintf(out, "Everybody's copy agrees with scene.inspect: %d entities on %d streets.\n", total, len(crew))
	return nil
}

func streetsOf(crew []*builder) []street {
	all := make([]street, len(crew))
	for i, b := range crew {
		all[i] = b.street
	}
	return all
}

// agree returns when a copy holds what there is of some streets, or says what it holds when ctx ends.
func agree(ctx context.Context, who string, v *client.View, truth map[string]int, streets []street) error {
	wrong := func() []string {
		var list []string
		counts := count(v)
		for _, s := range streets {
			if counts[s.tag] != truth[s.tag] {
				list = append(list, fmt.Sprintf("%d on %s, of %d", counts[s.tag], s.tag, truth[s.tag]))
			}
		}
		return list
	}
	for range v.Updates(ctx) {
		if wrong() == nil {
			return nil
		}
	}
	return fmt.Errorf("%s sees %s", who, strings.Join(wrong(), "; "))
}

// count returns how many entities of a copy have which tag.
func count(v *client.View) map[string]int {
	counts := map[string]int{}
	for _, e := range v.Entities() {
		var tags []string
		if _, err := e.Component("tags", &tags); err != nil {
			continue
		}
		slices.Sort(tags)
		for _, tag := range slices.Compact(tags) {
			counts[tag]++
		}
	}
	return counts
}
