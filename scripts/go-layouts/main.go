// Writes how Go lays out the structs that kube-controller-manager hashes, by reflection:
//
//	cd scripts/go-layouts && go run . > ../../openapi/1.36/go-layouts-1.36.json
package main

import (
	"fmt"
	"log"
	"os"
	"reflect"
	"sort"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// What a dump shows otherwise than member by member of the JSON.
var special = map[string]bool{
	"v1.Time": true, "v1.FieldsV1": true, "resource.Quantity": true, "intstr.IntOrString": true,
}

type layouts struct {
	packages map[string]string
	structs  map[string][]string
	named    map[string]string
}

func main() {
	root := reflect.TypeFor[corev1.PodTemplateSpec]()
	found := layouts{map[string]string{}, map[string][]string{}, map[string]string{}}
	found.add(root)
	out := os.Stdout
	fmt.Fprintln(out, "{")
	fmt.Fprintln(out, `"kubernetes": "1.36.3",`)
	fmt.Fprintln(out, `"what": "Go structs in the order of their fields: [Go name, Go type, name in JSON; absent when its members stand in the parent]; and the types under other named types. Taken by reflection from k8s.io/api v0.36.3 by scripts/go-layouts.",`)
	fmt.Fprintln(out, `"structs": {`)
	for i, name := range sorted(found.structs) {
		fmt.Fprintf(out, "%q: [%s]%s\n", name, strings.Join(found.structs[name], ","), comma(i, len(found.structs)))
	}
	fmt.Fprintln(out, "},")
	fmt.Fprintln(out, `"named": {`)
	for i, name := range sorted(found.named) {
		fmt.Fprintf(out, "%q: %q%s\n", name, found.named[name], comma(i, len(found.named)))
	}
	fmt.Fprintln(out, "}")
	fmt.Fprintln(out, "}")
}

func (found layouts) add(of reflect.Type) {
	name := of.String()
	if of.Name() == "" {
		if of.Kind() == reflect.Map {
			found.add(of.Key())
		}
		found.add(of.Elem())
		return
	}
	if of.PkgPath() == "" || special[name] {
		return
	}
	if known, seen := found.packages[name]; seen {
		if known != of.PkgPath() {
			log.Fatalf("%s is of %s and of %s", name, known, of.PkgPath())
		}
		return
	}
	found.packages[name] = of.PkgPath()
	switch of.Kind() {
	case reflect.Struct:
		fields := []string{}
		for i := 0; i < of.NumField(); i++ {
			field := of.Field(i)
			record := fmt.Sprintf("[%q,%q", field.Name, field.Type)
			if json, _, _ := strings.Cut(field.Tag.Get("json"), ","); json != "" {
				record += fmt.Sprintf(",%q", json)
			}
			fields = append(fields, record+"]")
			found.add(field.Type)
		}
		found.structs[name] = fields
	case reflect.Map:
		found.named[name] = fmt.Sprintf("map[%s]%s", of.Key(), of.Elem())
		found.add(of.Key())
		found.add(of.Elem())
	case reflect.Slice:
		found.named[name] = "[]" + of.Elem().String()
		found.add(of.Elem())
	default:
		found.named[name] = of.Kind().String()
	}
}

func sorted[T any](of map[string]T) []string {
	names := []string{}
	for name := range of {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func comma(i, length int) string {
	if i == length-1 {
		return ""
	}
	return ","
}
