/** The OpenAPI documents of one cluster: the built-in API and its custom resources. */
import { type Clock, formatTime } from '../ground/clock.js';
import { type JsonObject, compareUtf8, isJsonObject } from '../ground/json.js';
import { readJson } from '../ground/json-read.js';
import { withoutHtmlEscapes, writeJson } from '../ground/json-write.js';
import { parseAccept } from './accept.js';
import { contentAnswer } from './cached-content.js';
import { type CustomResource, type CustomVersion } from './custom-resource.js';
import {
  type DocumentAnswer,
  type Query,
  type RequestHeaders,
  emptyAnswer,
  headerOf,
} from './document-answer.js';
import { httpDate } from './http-date.js';
import { type OpenApiText, openApiText, taggedText } from './openapi-text.js';
import { type OpenApiBase } from './openapi-base.js';
import { customDocument, customPaths } from './openapi-custom.js';
import { customSchemas } from './openapi-custom-schema.js';
import { pathItemV2 } from './openapi-v2.js';
import { openApiProtobuf } from './openapi-v2-protobuf.js';
import { openApiV3Protobuf } from './openapi-v3-protobuf.js';

interface ServedVersion {
  readonly resource: CustomResource;
  readonly version: CustomVersion;
}

/** The joined document of version 2: its text, and its protobuf form once somebody has asked for it. */
interface DocumentV2 {
  readonly text: OpenApiText;
  readonly protobuf?: Buffer;
}

export class OpenApiDocuments {
  readonly #builtIn: OpenApiBase;
  readonly #clock: Clock;
  /** By document name: `apis/ex.io/v1`. */
  #custom: ReadonlyMap<string, readonly ServedVersion[]> = new Map();
  /** Texts of `#custom`, made when asked for. One that comes out as before keeps its time. */
  #texts = new Map<string, OpenApiText>();
  #before = new Map<string, OpenApiText>();
  #v2: DocumentV2 | undefined;
  /** Of version 3, by text, once somebody has asked for them. */
  readonly #protobufs = new WeakMap<OpenApiText, Buffer>();

  /** Costs nothing until a document is asked for. */
  constructor(options: { readonly builtIn: OpenApiBase; readonly clock: Clock }) {
    this.#builtIn = options.builtIn;
    this.#clock = options.clock;
  }

  /** Tells which custom resources there are now; those not established and versions not served are passed over. */
  setCustomResources(resources: readonly CustomResource[]): void {
    const custom = new Map<string, ServedVersion[]>();
    for (const resource of resources) {
      if (!resource.established) continue;
      for (const version of resource.versions) {
        if (!version.served) continue;
        const name = `apis/${resource.group}/${version.name}`;
        const list = custom.get(name) ?? [];
        custom.set(name, list);
        list.push({ resource, version });
      }
    }
    this.#custom = custom;
    this.#before = new Map([...this.#before, ...this.#texts]);
    this.#texts = new Map();
    this.#v2 = undefined;
  }

  /**
   * Answers a request below `/openapi`.
   *
   * Shape: undefined for paths that are none of the documents' (`/openapi`, `/openapi/v2/`), and for a version of OpenAPI
   * that is not known of a real cluster. Any method is answered as GET; an answer to HEAD has the body that GET would have.
   * Source: kube-openapi handler/handler.go and handler3/handler.go, observed on 1.36.3.
   *
   * @param path the decoded path. @param headers by lower-cased name.
   */
  answer(path: string, query: Query, headers: RequestHeaders, method = 'GET'): DocumentAnswer | undefined {
    const { versions } = this.#builtIn;
    if (path === '/openapi/v2')
      return versions.includes('v2') ? this.#answerV2({ method, headers }) : undefined;
    if (!versions.includes('v3')) return undefined;
    if (path === '/openapi/v3') {
      const index = { body: this.#index(), modifiedMs: this.#clock.now() };
      return contentAnswer({ method, headers }, index, 'text/plain; charset=utf-8');
    }
    const prefix = '/openapi/v3/';
    if (!path.startsWith(prefix)) return undefined;
    return this.#answerV3(path.slice(prefix.length), query.get('hash') ?? '', { method, headers });
  }

  #answerV2(request: { readonly method: string; readonly headers: RequestHeaders }): DocumentAnswer {
    const vary = { Vary: ['Accept-Encoding', 'Accept'] };
    const form = accepted(request.headers, FORMS_V2);
    if (form === 'nothing' || form === 'unreadable') return emptyAnswer(406, vary);
    this.#v2 ??= {
      text: taggedText(withoutHtmlEscapes(writeJson(this.#documentV2())), this.#clock.now()),
    };
    const { text } = this.#v2;
    if (form === 'json') return { ...contentAnswer(request, text, 'application/json', vary), gzip: true };
    // Both forms have the tag of the text; `Vary` tells them apart.
    const protobuf = this.#v2.protobuf ?? openApiProtobuf(this.#documentV2());
    this.#v2 = { text, protobuf };
    const content = { ...text, body: protobuf };
    return { ...contentAnswer(request, content, `application/${PROTOBUF_V2}`, vary), gzip: true };
  }

  #answerV3(
    name: string,
    hash: string,
    request: { readonly method: string; readonly headers: RequestHeaders },
  ): DocumentAnswer {
    const text = this.#document(name);
    if (text === undefined) return emptyAnswer(404);
    const vary = { Vary: 'Accept' };
    const form = accepted(request.headers, FORMS_V3);
    if (form === 'unreadable') return emptyAnswer(200);
    if (form === 'nothing') return emptyAnswer(406, vary);
    const type = form === 'json' ? 'application/json' : `application/${PROTOBUF_V3}`;
    if (hash !== '' && hash !== text.etag) {
      const moved = { ...vary, ETag: `"${text.etag}"`, Location: hashedUrl(name, text.etag) };
      return emptyAnswer(301, moved, type);
    }
    // As in version 2, both forms have the tag of the text.
    const content = form === 'json' ? text : { ...text, body: this.#protobufV3(text) };
    if (hash === '') return contentAnswer(request, content, type, vary);
    return contentAnswer(request, content, type, {
      ...vary,
      'Cache-Control': 'public, immutable',
      Expires: httpDate(oneYearAfter(this.#clock.now()), 'UTC'),
    });
  }

  #protobufV3(text: OpenApiText): Buffer {
    const known = this.#protobufs.get(text);
    if (known !== undefined) return known;
    const reading = readJson(Buffer.from(text.body));
    const made = openApiV3Protobuf(reading.ok && isJsonObject(reading.value) ? reading.value : {});
    this.#protobufs.set(text, made);
    return made;
  }

  #document(name: string): OpenApiText | undefined {
    const builtIn = this.#builtIn.document(name);
    if (builtIn !== undefined) return builtIn;
    const known = this.#texts.get(name);
    const versions = this.#custom.get(name);
    if (known !== undefined || versions === undefined) return known;
    const made = openApiText(customDocument(this.#builtIn.facts, versions), this.#clock.now());
    const before = this.#before.get(name);
    const text = before?.etag === made.etag ? before : made;
    this.#texts.set(name, text);
    return text;
  }

  #index(): string {
    const names = [...new Set([...this.#builtIn.names, ...this.#custom.keys()])].sort(compareUtf8);
    const paths = names.map((name) => [
      name,
      { serverRelativeURL: hashedUrl(name, this.#document(name)?.etag ?? '') },
    ]);
    return writeJson({ paths: Object.fromEntries(paths) as JsonObject });
  }

  #documentV2(): JsonObject {
    const { facts, v2 } = this.#builtIn;
    if (this.#custom.size === 0) return v2;
    const { paths, definitions, swagger, info, ...last } = v2;
    const morePaths: Record<string, JsonObject> = {};
    const moreDefinitions: Record<string, JsonObject> = {};
    for (const { resource, version } of [...this.#custom.values()].flat()) {
      for (const [path, operations] of Object.entries(customPaths(facts, resource, version))) {
        morePaths[path] = pathItemV2(facts, operations);
      }
      Object.assign(moreDefinitions, customSchemas(resource, version, 'v2'));
    }
    // Built-in paths and schemas win over custom ones of the same name.
    return {
      swagger,
      info,
      paths: sorted({ ...morePaths, ...paths }),
      definitions: sorted({ ...moreDefinitions, ...definitions }),
      ...last,
    };
  }
}

const sorted = (members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).sort(([a], [b]) => compareUtf8(a, b)));

const hashedUrl = (name: string, hash: string): string => `/openapi/v3/${name}?hash=${hash}`;

/** The same day of the next year; 29 February becomes 1 March, as in Go. */
function oneYearAfter(ms: number): number {
  const year = Number(formatTime(ms).slice(0, 4));
  const isLeap = (one: number): boolean => (one % 4 === 0 && one % 100 !== 0) || one % 400 === 0;
  const afterFebruary = Number(formatTime(ms).slice(5, 7)) > 2;
  const crossesLeapDay = afterFebruary ? isLeap(year + 1) : isLeap(year);
  return ms + (crossesLeapDay ? 366 : 365) * 86_400_000;
}

const PROTOBUF_V3 = 'com.github.proto-openapi.spec.v3.v1.0+protobuf';
const PROTOBUF_V2 = 'com.github.proto-openapi.spec.v2.v1.0+protobuf';

/** Forms of a document by the name that is asked for, the first for wildcards; names with an `@` are old clients' and no media types. */
const FORMS_V3: Forms<'json' | 'protobuf'> = new Map([
  ['json', 'json'],
  [PROTOBUF_V3, 'protobuf'],
  ['com.github.proto-openapi.spec.v3@v1.0+protobuf', 'protobuf'],
]);
const FORMS_V2: Forms<'json' | 'protobuf'> = new Map([
  ['json', 'json'],
  [PROTOBUF_V2, 'protobuf'],
  ['com.github.proto-openapi.spec.v2@v1.0+protobuf', 'protobuf'],
]);

type Forms<Form> = ReadonlyMap<string, Form>;

function accepted<Form>(headers: RequestHeaders, forms: Forms<Form>): Form | 'nothing' | 'unreadable' {
  const header = headerOf(headers, 'accept');
  const clauses = parseAccept(header === '' ? '*/*' : header);
  if (clauses.length === 0) return 'unreadable';
  for (const { type, subtype } of clauses) {
    if (type !== 'application' && type !== '*') continue;
    const form = subtype === '*' ? [...forms.values()][0] : forms.get(subtype);
    if (form !== undefined) return form;
  }
  return 'nothing';
}
