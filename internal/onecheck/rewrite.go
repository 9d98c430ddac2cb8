package onecheck

import (
	"encoding/binary"
	"fmt"
)

// Module returns a module that does the same, for a compiler that checks every address anew unless it has checked
// one as far, in the same variable, before.
func Module(code []byte) ([]byte, error) {
	const header = 8
	if len(code) < header || string(code[:header]) != "\x00asm\x01\x00\x00\x00" {
		return nil, fmt.Errorf("onecheck: not a module of version 1")
	}
	var m module
	out := append(make([]byte, 0, len(code)+len(code)/8), code[:header]...)
	r := reader{b: code, at: header}
	for !r.done() {
		start := r.at
		id := r.byte()
		body := r.take(r.count())
		in := reader{b: body}
		switch id {
		case sectionType:
			m.readTypes(&in)
		case sectionImport:
			m.readImports(&in)
		case sectionFunction:
			m.readFunctions(&in)
		case sectionCode:
			section, err := m.rewrite(&in)
			if err != nil {
				return nil, fmt.Errorf("onecheck: %w", err)
			}
			out = binary.AppendUvarint(append(out, id), uint64(len(section)))
			out = append(out, section...)
			continue
		}
		if in.err != nil {
			return nil, fmt.Errorf("onecheck: section %d: %w", id, in.err)
		}
		out = append(out, code[start:r.at]...)
	}
	if r.err != nil {
		return nil, fmt.Errorf("onecheck: %w", r.err)
	}
	return out, nil
}

// rewrite returns the code section anew.
func (m *module) rewrite(r *reader) ([]byte, error) {
	n := r.count()
	if r.err == nil && n != len(m.funcs)-m.imported {
		return nil, fmt.Errorf("%d bodies for %d functions", n, len(m.funcs)-m.imported)
	}
	out := binary.AppendUvarint(nil, uint64(n))
	var f flow
	f.m = m
	var body []byte
	for i := range n {
		code := r.take(r.count())
		if r.err != nil {
			return nil, r.err
		}
		var err error
		if body, err = f.body(m.types[m.funcs[m.imported+i]], code, body[:0]); err != nil {
			return nil, fmt.Errorf("function %d: %w", m.imported+i, err)
		}
		out = binary.AppendUvarint(out, uint64(len(body)))
		out = append(out, body...)
	}
	return out, r.err
}

// body appends the body of a function anew.
func (f *flow) body(sig signature, code, out []byte) ([]byte, error) {
	r := reader{b: code}
	locals := uint64(sig.params)
	for range r.count() {
		locals += uint64(r.index())
		r.byte()
		if locals > 1<<16 {
			return nil, fmt.Errorf("%d locals", locals)
		}
	}
	start := r.at
	f.ops = f.ops[:0]
	f.sets = append(f.sets[:0], make([]uint32, locals)...)
	for !r.done() {
		o := r.decode()
		if o.code >= opLocalGet && o.code <= opLocalTee {
			if uint64(o.x) >= locals {
				return nil, fmt.Errorf("a local %d, of %d", o.x, locals)
			}
			if o.code != opLocalGet {
				f.sets[o.x]++
			}
		}
		f.ops = append(f.ops, o)
	}
	if r.err != nil {
		return nil, r.err
	}
	f.locals = append(f.locals[:0], make([]value, locals)...)
	f.epoch = append(f.epoch[:0], make([]int, locals)...)
	f.findFrame()
	edits, err := f.run(sig)
	if err != nil {
		return nil, err
	}
	return f.write(code, start, edits, out), nil
}

// findFrame looks for how a function makes room on the stack that is in memory: the first global less a constant
// is put into a local, before anything else happens.
func (f *flow) findFrame() {
	f.framed, f.size = -1, 0
	for i := 0; i+3 < len(f.ops) && i < 16; i++ {
		a, b, c, d := &f.ops[i], &f.ops[i+1], &f.ops[i+2], &f.ops[i+3]
		switch {
		case a.code >= opBlock && a.code <= opReturn:
			return
		case a.code == opGlobalGet && a.x == 0 && b.code == opI32Const && b.n > 0 && b.n < 1<<20 && c.code == opI32Sub &&
			(d.code == opLocalTee || d.code == opLocalSet) && f.sets[d.x] == 1:
			f.framed, f.size = i+3, int64(b.n)
			return
		}
	}
}
