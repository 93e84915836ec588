// informer runs a dynamic client-go informer on one resource and prints what its handler is told, one JSON object a line,
// on standard output; klog writes to standard error (-v=6 shows each request). It ends when standard input closes.
//
//	KUBE_FEATURE_WatchListClient=true informer -kubeconfig FILE -resource widgets.v1.example.com -namespace NS -v=6
//
// With -lease it takes part in a leader election instead:
//
//	informer -kubeconfig FILE -lease NAME -namespace NS
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
)

type line struct {
	Event           string `json:"event"`
	Name            string `json:"name,omitempty"`
	ResourceVersion string `json:"resourceVersion,omitempty"`
	// Initial: part of the state at the start, not a change seen later.
	Initial bool `json:"initial,omitempty"`
	// Unknown: the deletion itself was missed, only its outcome is known.
	Unknown bool `json:"unknown,omitempty"`
	Stored  int  `json:"stored"`
}

var output sync.Mutex

func print(l line) {
	output.Lock()
	defer output.Unlock()
	if err := json.NewEncoder(os.Stdout).Encode(l); err != nil {
		os.Exit(1)
	}
}

func describe(event string, object any, initial bool) line {
	l := line{Event: event, Initial: initial}
	if tombstone, ok := object.(cache.DeletedFinalStateUnknown); ok {
		l.Unknown = true
		object = tombstone.Obj
	}
	if accessor, err := meta.Accessor(object); err == nil {
		l.Name, l.ResourceVersion = accessor.GetName(), accessor.GetResourceVersion()
	}
	return l
}

func inform(ctx context.Context, config *rest.Config, resource, namespace string) error {
	gvr, gr := schema.ParseResourceArg(resource)
	if gvr == nil {
		// `configmaps.v1.` has two dots and an empty group; `configmaps` alone means version v1 of the core group.
		gvr = &schema.GroupVersionResource{Group: gr.Group, Version: "v1", Resource: gr.Resource}
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	informer := dynamicinformer.NewFilteredDynamicInformer(client, *gvr, namespace, 0, cache.Indexers{}, func(*metav1.ListOptions) {}).Informer()
	registration, err := informer.AddEventHandler(cache.ResourceEventHandlerDetailedFuncs{
		AddFunc:    func(object any, initial bool) { print(describe("ADD", object, initial)) },
		UpdateFunc: func(_, object any) { print(describe("UPDATE", object, false)) },
		DeleteFunc: func(object any) { print(describe("DELETE", object, false)) },
	})
	if err != nil {
		return err
	}
	go informer.RunWithContext(ctx)
	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced, registration.HasSynced) {
		return fmt.Errorf("not synced")
	}
	print(line{Event: "SYNCED", ResourceVersion: informer.LastSyncResourceVersion(), Stored: len(informer.GetStore().ListKeys())})
	<-ctx.Done()
	print(line{Event: "END", ResourceVersion: informer.LastSyncResourceVersion(), Stored: len(informer.GetStore().ListKeys())})
	return nil
}

func main() {
	klog.InitFlags(nil)
	kubeconfig := flag.String("kubeconfig", "", "kubeconfig file")
	resource := flag.String("resource", "configmaps", "resource.version.group, or a resource of the core group's v1")
	namespace := flag.String("namespace", "default", "namespace")
	lease := flag.String("lease", "", "a lease to take and renew, instead of informing")
	flag.Parse()
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err == nil {
		if *lease == "" {
			err = inform(ctx, config, *resource, *namespace)
		} else {
			err = elect(ctx, config, *namespace, *lease)
		}
	}
	if err != nil && ctx.Err() == nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
