/** Which objects of a resource a list or a watch is about: a key range and two selectors. */
import { type ApiObject, labelsOf, nameOf, namespaceOf } from '../ground/object.js';
import { type FieldSelector } from './field-selector.js';
import { type LabelSelector } from './label-selector.js';
import { type Scope } from './scope.js';

/** The value of a field that a resource can be selected by; undefined where the object has none. */
export type FieldReader = (object: ApiObject, field: string) => string | undefined;

export interface SelectionParts {
  /** Absent: all namespaces, or a resource without any. */
  readonly namespace?: string | undefined;
  /** Absent: any name. */
  readonly name?: string | undefined;
  readonly labels: LabelSelector;
  readonly fields: FieldSelector;
}

/** Reads name and namespace; what else a resource is selected by, its registry entry reads. */
export const metadataFields: FieldReader = (object, field) => {
  if (field === 'metadata.name') return nameOf(object);
  if (field === 'metadata.namespace') return namespaceOf(object);
  return undefined;
};

export class Selection {
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly labels: LabelSelector;
  readonly fields: FieldSelector;
  readonly #read: FieldReader;

  constructor(parts: SelectionParts, read: FieldReader = metadataFields) {
    this.namespace = parts.namespace;
    this.name = parts.name;
    this.labels = parts.labels;
    this.fields = parts.fields;
    this.#read = read;
  }

  /** Whether a selector can leave out objects of the key range; then no remainingItemCount is told. */
  get isFiltered(): boolean {
    return !this.labels.isEmpty || !this.fields.isEmpty;
  }

  /** The key range alone. */
  get scope(): Scope {
    return {
      ...(this.namespace === undefined ? {} : { namespace: this.namespace }),
      ...(this.name === undefined ? {} : { name: this.name }),
    };
  }

  /** The selectors alone, for who has cut out the key range already; undefined when they leave nothing out. */
  get filter(): ((object: ApiObject) => boolean) | undefined {
    return this.isFiltered ? (object) => this.#isSelected(object) : undefined;
  }

  /** Key range and selectors together. */
  matches(object: ApiObject): boolean {
    return (
      (this.namespace === undefined || namespaceOf(object) === this.namespace) &&
      (this.name === undefined || nameOf(object) === this.name) &&
      this.#isSelected(object)
    );
  }

  #isSelected(object: ApiObject): boolean {
    return (
      this.labels.matches(labelsOf(object)) && this.fields.matches((field) => this.#read(object, field) ?? '')
    );
  }
}
