// Writes how Go lays out the structs that kube-apiserver works with, which errors print, by reflection:
//
//	cd scripts/internal-layouts && go run . > ../../openapi/1.36/internal-layouts-1.36.json
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"reflect"
	"sort"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	aggregator "k8s.io/kube-aggregator/pkg/apis/apiregistration/install"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/controlplane"
)

// Where a server stores a group's objects in another version than the first.
var stored = map[string]string{"autoscaling": "v2"}

// Groups that a server does not serve.
var unserved = map[string]bool{"extensions": true, "imagepolicy.k8s.io": true, "internal.apiserver.k8s.io": true}

// Fields that the external form has in another place: of the object above.
var above = map[string]bool{
	"core.PodSecurityContext.HostNetwork": true, "core.PodSecurityContext.HostPID": true,
	"core.PodSecurityContext.HostIPC": true, "core.PodSecurityContext.HostUsers": true,
	"core.PodSecurityContext.ShareProcessNamespace": true,
}

var marshaler = reflect.TypeFor[json.Marshaler]()

type layouts struct {
	packages map[string]string
	structs  map[string][]string
	kinds    map[string]string
}

func main() {
	scheme := legacyscheme.Scheme
	aggregator.Install(scheme)
	found := layouts{map[string]string{}, map[string][]string{}, map[string]string{}}
	for _, version := range scheme.PreferredVersionAllGroups() {
		if unserved[version.Group] {
			continue
		}
		if name, other := stored[version.Group]; other {
			version.Version = name
		}
		found.addVersion(scheme, version)
	}
	out := os.Stdout
	fmt.Fprintln(out, "{")
	fmt.Fprintln(out, `"kubernetes": "1.36.3",`)
	fmt.Fprintln(out, `"what": "The Go structs of a server's internal version as encoding/json writes them, in the order of their fields: [name shown, Go type, member of the object in its stored version; '' the object itself, ../x a member of the object above, absent: no stored version has it]; json: as the stored version is written. kinds: the struct of each kind. Taken by reflection from k8s.io/kubernetes v1.36.3 by scripts/internal-layouts.",`)
	fmt.Fprintln(out, `"kinds": {`)
	for i, name := range sorted(found.kinds) {
		fmt.Fprintf(out, "%q: %q%s\n", name, found.kinds[name], comma(i, len(found.kinds)))
	}
	fmt.Fprintln(out, "},")
	fmt.Fprintln(out, `"structs": {`)
	for i, name := range sorted(found.structs) {
		fmt.Fprintf(out, "%q: [%s]%s\n", name, strings.Join(found.structs[name], ","), comma(i, len(found.structs)))
	}
	fmt.Fprintln(out, "}")
	fmt.Fprintln(out, "}")
}

func (found layouts) addVersion(scheme *runtime.Scheme, version schema.GroupVersion) {
	inside := scheme.KnownTypes(schema.GroupVersion{Group: version.Group, Version: runtime.APIVersionInternal})
	for kind, external := range scheme.KnownTypes(version) {
		internal, known := inside[kind]
		if !known || strings.HasSuffix(kind, "List") || strings.HasSuffix(kind, "Options") || internal == external {
			continue
		}
		if _, object := internal.FieldByName("ObjectMeta"); !object {
			continue
		}
		found.kinds[version.String()+" "+kind] = found.add(internal, external)
	}
}

// The text of a type, after what is in it has been added.
func (found layouts) add(of, external reflect.Type) string {
	if of == external || of.Implements(marshaler) || reflect.PointerTo(of).Implements(marshaler) || strings.Contains(of.PkgPath(), "apimachinery") {
		switch of.Kind() {
		case reflect.Pointer:
			return "*" + found.add(of.Elem(), external.Elem())
		case reflect.Struct, reflect.Interface:
			return "json:" + of.String()
		}
	}
	switch of.Kind() {
	case reflect.Pointer:
		if external.Kind() == reflect.Pointer {
			external = external.Elem()
		}
		return "*" + found.add(of.Elem(), external)
	case reflect.Slice:
		if of.Elem().Kind() == reflect.Uint8 {
			return "[]byte"
		}
		return "[]" + found.add(of.Elem(), external.Elem())
	case reflect.Map:
		return "map[]" + found.add(of.Elem(), external.Elem())
	case reflect.Struct:
		if external.Kind() == reflect.Pointer {
			external = external.Elem()
		}
		return found.addStruct(of, external)
	case reflect.Interface:
		return "json:" + of.String()
	}
	return of.Kind().String()
}

func (found layouts) addStruct(of, external reflect.Type) string {
	name := of.String()
	if known, seen := found.packages[name]; seen {
		if known != of.PkgPath() {
			log.Fatalf("%s is of %s and of %s", name, known, of.PkgPath())
		}
		return name
	}
	found.packages[name] = of.PkgPath()
	fields := []string{}
	for i := 0; i < of.NumField(); i++ {
		field := of.Field(i)
		if !field.IsExported() {
			continue
		}
		fields = append(fields, found.field(name, field, external))
	}
	found.structs[name] = fields
	return name
}

func (found layouts) field(name string, field reflect.StructField, external reflect.Type) string {
	whole := name + "." + field.Name
	shown := field.Name
	if field.Anonymous {
		shown = ""
	}
	if above[whole] {
		member := strings.ToLower(field.Name[:1]) + field.Name[1:]
		return fmt.Sprintf("[%q,%q,%q]", shown, found.add(field.Type, field.Type), "../"+member)
	}
	counterpart, known := external.FieldByNameFunc(func(one string) bool { return strings.EqualFold(one, field.Name) })
	if !known {
		log.Printf("%s: nothing like it in %s", whole, external)
		return fmt.Sprintf("[%q,%q]", shown, found.add(field.Type, field.Type))
	}
	member, _, _ := strings.Cut(counterpart.Tag.Get("json"), ",")
	return fmt.Sprintf("[%q,%q,%q]", shown, found.add(field.Type, counterpart.Type), member)
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
