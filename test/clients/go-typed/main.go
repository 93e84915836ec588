// typed-clients drives a server with programs that write protobuf without being told to, and prints what they saw as one
// JSON object. It ends with status 1 when something failed.
//
//	typed-clients -kubeconfig FILE -namespace NS -program clientset -protobuf
//	typed-clients -kubeconfig FILE -namespace NS -program operator
//	typed-clients -kubeconfig FILE -namespace NS -program leader -identity ID
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// traffic counts the content types of requests and answers.
type traffic struct {
	mutex    sync.Mutex
	Sent     map[string]int `json:"sent"`
	Received map[string]int `json:"received"`
}

func newTraffic() *traffic {
	return &traffic{Sent: map[string]int{}, Received: map[string]int{}}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }

func short(contentType string) string {
	return strings.TrimPrefix(contentType, "application/")
}

// watch makes a client's requests known to the counters.
func (t *traffic) watch(config *rest.Config) {
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(request *http.Request) (*http.Response, error) {
			response, err := next.RoundTrip(request)
			t.mutex.Lock()
			defer t.mutex.Unlock()
			if request.Body != nil {
				t.Sent[short(request.Header.Get("Content-Type"))]++
			}
			if err == nil {
				t.Received[short(response.Header.Get("Content-Type"))]++
			}
			return response, err
		})
	})
}

// wait asks until the answer is yes.
func wait(ctx context.Context, what string, ask func() (bool, error)) error {
	for {
		yes, err := ask()
		if yes {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("waiting until %s: %w (last: %v)", what, ctx.Err(), err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func run() (any, error) {
	// A set of its own: controller-runtime has a flag of the name kubeconfig too.
	flags := flag.NewFlagSet(os.Args[0], flag.ExitOnError)
	kubeconfig := flags.String("kubeconfig", "", "path")
	namespace := flags.String("namespace", "default", "where")
	program := flags.String("program", "clientset", "clientset, operator or leader")
	identity := flags.String("identity", "", "of a contender")
	protobuf := flags.Bool("protobuf", false, "the clientset speaks protobuf")
	if err := flags.Parse(os.Args[1:]); err != nil {
		return nil, err
	}
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	if *program == "leader" {
		return nil, contender(ctx, config, *namespace, *identity)
	}
	if *program == "operator" {
		return operator(ctx, config, *namespace)
	}
	return clientset(ctx, config, *namespace, *protobuf)
}

func main() {
	report, err := run()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if err := json.NewEncoder(os.Stdout).Encode(report); err != nil {
		os.Exit(1)
	}
}
