package alert

import (
	"errors"
	"testing"
)

type recorder struct{ messages []Message }

func (r *recorder) Send(message Message) error {
	r.messages = append(r.messages, message)
	return nil
}

func TestObserveSendsOnce(t *testing.T) {
	sender := &recorder{}
	dispatcher := NewDispatcher(sender)
	t.Run("down", func(t *testing.T) {
		dispatcher.Observe("api", errors.New("refused"))
		dispatcher.Observe("api", errors.New("refused"))
		if len(sender.messages) != 1 {
			t.Errorf("%d messages", len(sender.messages))
		}
	})
}
