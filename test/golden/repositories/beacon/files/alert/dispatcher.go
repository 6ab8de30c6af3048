// Package alert tells people.
package alert

import (
	"bytes"
	"encoding/json"
	"log"
	"net/http"
	"sync"
)

// Sender delivers a message.
type Sender interface {
	Send(message Message) error
}

// Message is what people read.
type Message struct {
	Target string `json:"target"`
	Text   string `json:"text"`
}

// Dispatcher sends a message when a target goes down or comes back.
type Dispatcher struct {
	senders []Sender
	mu      sync.Mutex
	down    map[string]bool
}

// NewDispatcher makes a dispatcher.
func NewDispatcher(senders ...Sender) *Dispatcher {
	return &Dispatcher{senders: senders, down: map[string]bool{}}
}

// Observe notes a result.
func (d *Dispatcher) Observe(target string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	wasDown := d.down[target]
	switch {
	case err != nil && !wasDown:
		d.down[target] = true
		d.send(Message{Target: target, Text: "down: " + err.Error()})
	case err == nil && wasDown:
		delete(d.down, target)
		d.send(Message{Target: target, Text: "back"})
	}
}

func (d *Dispatcher) send(message Message) {
	for _, sender := range d.senders {
		if err := sender.Send(message); err != nil {
			log.Printf("alert: %v", err)
		}
	}
}

// Webhook posts messages as JSON.
type Webhook struct {
	URL string
}

// Send posts a message.
func (w *Webhook) Send(message Message) error {
	body, err := json.Marshal(message)
	if err != nil {
		return err
	}
	_, err = http.Post(w.URL, "application/json", bytes.NewReader(body))
	return err
}
