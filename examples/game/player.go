package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/limina-mcp/limina/client"
)

// player plays by what the profile player.full may call, as the page does.
type player struct {
	*client.Client
	me client.ID
}

// play plays the game through.
func play(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	c, err := client.Dial(ctx, client.Options{URL: "ws://" + address, AgentID: "player", Profile: "player.full"})
	if err != nil {
		return err
	}
	defer c.Close()
	view, err := c.Subscribe(ctx, client.Subscription{Area: client.Whole()})
	if err != nil {
		return err
	}
	var spawned struct{ Entity client.ID }
	if err := c.Call(ctx, "player.spawn", struct{}{}, &spawned); err != nil {
		return err
	}
	p := player{c, spawned.Entity}
	if err := p.talk(ctx, "Talk to the lamplighter", "I will.", "And the others?"); err != nil {
		return err
	}
	for _, prompt := range []string{"Light the lamp", "Take the key", "Open the gate", "Light the lamp"} {
		if err := p.use(ctx, prompt); err != nil {
			return err
		}
	}
	if err := p.fight(ctx, view, "shade"); err != nil {
		return err
	}
	if err := p.use(ctx, "Light the lamp"); err != nil {
		return err
	}
	return won(ctx, view)
}

// node is what is said in a conversation.
type node struct {
	Text    string
	Choices []struct {
		Index int
		Text  string
	}
}

// use goes to the nearest thing with which something can be done, and does it.
func (p *player) use(ctx context.Context, prompt string) error {
	_, err := p.interact(ctx, prompt)
	return err
}

// interact is use that returns what is said, if it begins a conversation.
func (p *player) interact(ctx context.Context, prompt string) (said node, err error) {
	var near struct {
		Interactables []struct {
			Entity  client.ID
			Prompt  string
			InReach bool
		}
	}
	if err := p.Call(ctx, "interaction.query", map[string]any{"maxRange": 100}, &near); err != nil {
		return said, err
	}
	for _, thing := range near.Interactables {
		if thing.Prompt != prompt {
			continue
		}
		if !thing.InReach {
			if err := p.walk(ctx, thing.Entity); err != nil {
				return said, err
			}
		}
		var done struct {
			OK     bool
			Reason string
			Result struct{ Talk struct{ CurrentNode node } }
		}
		if err := p.Call(ctx, "interaction.interact", map[string]any{"entity": thing.Entity}, &done); err != nil {
			return said, err
		}
		if !done.OK {
			return said, fmt.Errorf("%s: %s", prompt, done.Reason)
		}
		fmt.Println(" ", prompt)
		return done.Result.Talk.CurrentNode, nil
	}
	return said, fmt.Errorf("there is nothing of which it says %q", prompt)
}

// walk goes as near to an entity as one gets.
func (p *player) walk(ctx context.Context, to client.ID) error {
	var way struct {
		OK     bool
		Reason string
	}
	if err := p.Call(ctx, "navmesh.moveTo", map[string]any{"entity": p.me, "target": to, "speed": 5}, &way); err != nil {
		return err
	}
	if !way.OK {
		return fmt.Errorf("no way to %s: %s", to, way.Reason)
	}
	return p.Call(ctx, "physics.settle", map[string]any{"entities": []client.ID{p.me}, "seconds": 60}, nil)
}

// talk begins a conversation and gives its answers.
func (p *player) talk(ctx context.Context, prompt string, answers ...string) error {
	said, err := p.interact(ctx, prompt)
	if err != nil {
		return err
	}
	for _, answer := range answers {
		fmt.Printf("  %q %q\n", said.Text, answer)
		i := -1
		for _, choice := range said.Choices {
			if choice.Text == answer {
				i = choice.Index
			}
		}
		if i < 0 {
			return fmt.Errorf("to %q one cannot answer %q, but %v", said.Text, answer, said.Choices)
		}
		var chosen struct {
			OK     bool
			Reason string
			Node   node
		}
		if err := p.Call(ctx, "dialogue.choose", map[string]any{"choiceIndex": i}, &chosen); err != nil {
			return err
		}
		if !chosen.OK {
			return fmt.Errorf("%q: %s", answer, chosen.Reason)
		}
		said = chosen.Node
	}
	fmt.Printf("  %q\n", said.Text)
	return nil
}

// fight goes to somebody and strikes, until he is no more.
func (p *player) fight(ctx context.Context, view *client.View, name string) error {
	var foe client.ID
	for _, e := range view.Entities() {
		var called string
		if ok, err := e.Component("name", &called); err != nil {
			return err
		} else if ok && called == name {
			foe = e.ID
		}
	}
	if err := p.walk(ctx, foe); err != nil {
		return err
	}
	for range view.Updates(ctx) {
		if _, lives := view.Get(foe); !lives {
			fmt.Printf("  the %s is gone\n", name)
			return nil
		}
		err := p.Call(ctx, "combat.melee", map[string]any{"targetEntity": foe, "damage": 4}, nil)
		if refused := (*client.Error)(nil); err != nil && !errors.As(err, &refused) { // fists rest, or it is out of reach
			return err
		}
	}
	return fmt.Errorf("the %s lives: %w", name, ctx.Err())
}

// won waits until the game is.
func won(ctx context.Context, view *client.View) error {
	var game struct{ State string }
	for range view.Updates(ctx) {
		if _, err := view.World("game", &game); err != nil {
			return err
		}
		if game.State == "won" {
			fmt.Println("The square is bright again.")
			return nil
		}
	}
	return fmt.Errorf("the game is %s: %w", game.State, ctx.Err())
}
