package mcp

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/limina-mcp/limina/registry"
)

// What the client of a modern request carries for us from one round to the next.
const (
	roundLife  = 10 * time.Minute // how long the person at the client may take
	maxRounds  = 8
	maxAnswers = 64 << 10 // bytes of answers
	maxGiven   = 256      // answers that one request brings
)

// round is one round of a modern request whose handler may ask the client. In the first the handler
// asks and the request is answered with resultType input_required; the client makes it again with
// the answers, and the handler runs again from its beginning, this time with the answers.
//
// What was answered in earlier rounds travels in requestState, sealed: bound to who asks, to the
// method and to its params, and worthless after ten minutes.
type round struct {
	mcp     *Mcp
	binding []byte                     // what the state is bound to
	given   map[string]json.RawMessage // the client's inputResponses
	state   roundState                 // what came with them
	sealed  bool                       // there was a state
	n       int                        // questions so far

	asked []askedQuestion // what is still to be answered
	fault *rpcError       // an answer is none
}

// roundState is what requestState holds.
type roundState struct {
	Expires int64                `json:"e"` // Unix seconds
	Round   int                  `json:"r"`
	Known   map[string]knownItem `json:"k"` // by the keys of the questions

	Held string `json:"h,omitempty"` // the approval id of the call, which is held
	By   string `json:"b,omitempty"` // which Mcp it is held at: others may hold another call by that id
}

// knownItem is a question that was asked before.
type knownItem struct {
	Digest []byte          `json:"d"`           // of the question
	Answer json.RawMessage `json:"a,omitempty"` // nil: there is none yet
}

type askedQuestion struct {
	key, method string
	params      json.RawMessage
}

// newRound reads what a request carries of earlier rounds. The error is for the client.
func newRound(m *Mcp, principal string, msg *message, req *registry.Request) (*round, *rpcError) {
	r := &round{mcp: m, state: roundState{Known: map[string]knownItem{}}}
	r.binding = boundTo(principal, msg, req)
	if responses := member(msg.Params, "inputResponses"); responses != nil {
		if responses[0] != '{' {
			return nil, invalidParams("inputResponses: must be an object, with the keys of inputRequests")
		}
		r.given = map[string]json.RawMessage{}
		var e *rpcError
		eachMember(responses, func(key string, value []byte) bool {
			if value[0] != '{' {
				e = invalidParams("inputResponses." + key + ": must be an object, the result of the request that was asked")
			}
			if r.given[key] = bytes.Clone(value); len(r.given) > maxGiven {
				e = invalidParams("inputResponses: at most " + strconv.Itoa(maxGiven) + " answers")
			}
			return e == nil
		})
		if e != nil {
			return nil, e
		}
	}
	if text := member(msg.Params, "requestState"); text != nil {
		said, _ := stringValue(text)
		if !m.seals.open(said, r.binding, &r.state) || time.Now().Unix() > r.state.Expires {
			return nil, invalidParams("requestState: not one of this request, or older than " + roundLife.String() + "; make the request again without it")
		}
		r.sealed = true
		if r.state.By != m.self() {
			r.state.Held = ""
		}
	}
	return r, nil
}

// boundTo is what a request's state is bound to: who asks, and for what, on which terms.
func boundTo(principal string, msg *message, req *registry.Request) []byte {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q ", principal, msg.Method)
	if req.DryRun {
		fmt.Fprint(h, "dryRun ")
	}
	if req.IfRevision != nil {
		fmt.Fprintf(h, "ifRevision %d ", *req.IfRevision)
	}
	eachMember(msg.Params, func(key string, value []byte) bool {
		switch key {
		case "_meta", "inputResponses", "requestState":
		default:
			fmt.Fprintf(h, "%q %q ", key, canonical(value))
		}
		return true
	})
	return h.Sum(nil)
}

// canonical returns JSON in one spelling: a client may write its params in another order.
func canonical(value []byte) []byte {
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return value
	}
	text, err := json.Marshal(v)
	if err != nil {
		return value
	}
	return text
}

// ask reads the answers to questions, and notes those that have none.
func (r *round) ask(questions []registry.Question) error {
	for _, q := range questions {
		params, err := q.Params()
		if err != nil {
			return err
		}
		params = compact(params)
		r.n++
		key := q.Name()
		if key == "" {
			key = "q" + strconv.Itoa(r.n)
		}
		digest := sha256.Sum256(append([]byte(q.Method()+" "), params...))
		known, before := r.state.Known[key]
		same := bytes.Equal(known.Digest, digest[:16])
		answer := known.Answer
		if answer == nil && (same || !r.sealed) { // else it answers another question
			answer = r.given[key]
		}
		if answer == nil || before && !same {
			r.asked = append(r.asked, askedQuestion{key, q.Method(), params})
			r.state.Known[key] = knownItem{Digest: digest[:16]}
			continue
		}
		if err := q.Answer(answer); err != nil {
			r.fault = invalidParams("inputResponses." + key + ": " + err.Error())
			return registry.Invalidf("%s", r.fault.message)
		}
		r.state.Known[key] = knownItem{Digest: digest[:16], Answer: answer}
	}
	if len(r.asked) == 0 {
		return nil
	}
	if r.state.Round++; r.state.Round > maxRounds {
		return registry.Failf("asked %d times, which is the limit; nothing was changed", maxRounds)
	}
	size := 0
	for _, k := range r.state.Known {
		size += len(k.Answer)
	}
	if size > maxAnswers {
		return registry.Errorf(registry.CodeCapacityExceeded, "inputResponses: may have %d bytes together, got %d", maxAnswers, size)
	}
	return registry.Errorf(registry.CodeInputRequired, "the client is asked")
}

// appendAsked appends the result that asks.
func (r *round) appendAsked(dst []byte) []byte {
	dst = append(append(dst, `"result":{"resultType":"input_required",`...), r.mcp.modern.meta...)
	dst = append(dst, `,"inputRequests":{`...)
	for i, q := range r.asked {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = q.append(dst)
	}
	r.state.Expires = time.Now().Add(roundLife).Unix()
	return append(appendField(append(dst, '}'), "requestState", r.mcp.seals.seal(r.binding, &r.state)), '}')
}

// append appends a question as a member of inputRequests.
func (q *askedQuestion) append(dst []byte) []byte {
	key, _ := json.Marshal(q.key) // cannot fail
	dst = append(append(dst, key...), `:{"method":"`...)
	dst = append(append(dst, q.method...), `","params":`...)
	return append(append(dst, q.params...), '}')
}

// seals keeps what peers carry for us from being read or changed by them.
type seals struct {
	aead func() cipher.AEAD // made on first use: many a program never needs it, and each one starts
}

// newSeals returns seals by a key of 32 bytes; nil makes one up.
func newSeals(key []byte) (seals, error) {
	if key != nil && len(key) != 32 {
		return seals{}, fmt.Errorf("mcp: StateKey has %d bytes, want 32", len(key))
	}
	key = slices.Clone(key)
	return seals{sync.OnceValue(func() cipher.AEAD {
		if key == nil {
			key = make([]byte, 32)
			_, _ = rand.Read(key) // never fails
		}
		block, err := aes.NewCipher(key)
		if err != nil {
			panic("mcp: " + err.Error()) // not reached: 32 bytes are a key
		}
		aead, err := cipher.NewGCMWithRandomNonce(block)
		if err != nil {
			panic("mcp: " + err.Error()) // not reached: the block is of AES
		}
		return aead
	})}, nil
}

// seal returns v as text that only open reads, given the same binding.
func (s seals) seal(binding []byte, v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(s.aead().Seal(nil, nil, text, binding))
}

// open reports whether text was sealed with the same binding, and reads it.
func (s seals) open(text string, binding []byte, v any) bool {
	sealed, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil {
		return false
	}
	plain, err := s.aead().Open(nil, nil, sealed, binding)
	return err == nil && json.Unmarshal(plain, v) == nil
}
