/** What all clusters of one Kubernetes version share: the facts, what is compiled from them, and the built-in resources. */
import { type BuiltInApi } from '../../openapi/built-in-api.js';
import { definitionNameOfMessage } from '../../openapi/protobuf-message.js';
import { type ApiObject } from '../ground/object.js';
import { ValueTypes } from '../patch/value-types.js';
import { type Codec } from '../schema/codec.js';
import { type MessageTable, messageTable } from '../schema/message-table.js';
import { SchemaTree } from '../schema/schema-tree.js';
import { MessagePlans } from '../schema/typed-codec.js';
import { builtInResources, kindCodec, type CompiledForms } from './built-in-resources.js';
import { type Resource } from './resource.js';
import { BuiltInTable } from './resource-table.js';
import { SCALE_KIND } from './scale.js';

/** The resources of definitions, compiled once for all clusters that hold the same definition: forks share theirs. */
export class CustomResourceForms {
  readonly #made = new WeakMap<ApiObject, readonly Resource[]>();

  /** @param definition as it is stored: frozen */
  of(definition: ApiObject, make: () => readonly Resource[]): readonly Resource[] {
    let resources = this.#made.get(definition);
    if (resources === undefined) this.#made.set(definition, (resources = make()));
    return resources;
  }
}

/** Nothing in it changes but for what is compiled when it is first used, so that a cluster costs next to nothing. */
export class Blueprint {
  readonly api: BuiltInApi;
  readonly forms: CompiledForms;
  readonly builtIn: BuiltInTable;
  /** Of the one kind that custom resources share with built-in ones. */
  readonly scaleCodec: Codec;
  readonly customResources = new CustomResourceForms();

  /** @param forms @default compiled from the facts */
  constructor(api: BuiltInApi, forms: CompiledForms = compiledForms(api)) {
    this.api = api;
    this.forms = forms;
    this.builtIn = new BuiltInTable(builtInResources(api, forms));
    this.scaleCodec = kindCodec(forms.plans, SCALE_KIND);
  }
}

/** Each made when first asked for, then kept. */
function compiledForms(api: BuiltInApi): CompiledForms {
  let table: MessageTable | undefined;
  let made: MessagePlans | undefined;
  let types: ValueTypes | undefined;
  const tableOf = (): MessageTable => {
    const { protobuf, goTypes } = api.messageDocuments;
    return (table ??= messageTable(protobuf, goTypes));
  };
  const plans = (): MessagePlans => (made ??= new MessagePlans(tableOf()));
  const valueTypes = (): ValueTypes =>
    (types ??= new ValueTypes({
      table: tableOf(),
      coderOf: (message) => plans().coder(message),
      schemaOf: (message) => api.definitionOf(definitionNameOfMessage(message)),
    }));
  let tree: SchemaTree | undefined;
  const schemas = (): SchemaTree => (tree ??= new SchemaTree((name) => api.definitionOf(name)));
  return { plans, valueTypes, schemas };
}
