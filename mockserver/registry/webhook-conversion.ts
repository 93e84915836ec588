/**
 * Conversion by a webhook. Verbs are done in one turn and cannot wait; so they begin, stop where a conversion is missing,
 * and begin again once the webhook has answered.
 *
 * Source: apiextensions-apiserver apiserver/conversion/webhook_converter.go.
 */
import { type JsonObject, type JsonValue, member, objectMember, stringMember } from '../ground/json.js';
import { writeJson, writeJsonBytes } from '../ground/json-write.js';
import { type ApiObject, editMetadata, nameOf, namespaceOf, uidOf, withMetadata } from '../ground/object.js';
import { type Random } from '../ground/random.js';
import { type StatusError, bareError } from '../ground/status.js';
import { reviewBody, reviewed, shownSource } from './conversion-review.js';
import { type WebhookTarget, postToWebhook, webhookTarget } from './webhook-post.js';

/** A verb cannot go on before the webhook has answered. */
export class AwaitsConversion extends Error {
  override readonly name = 'AwaitsConversion';
  /** Asks the webhook. What it fails with is told to the verb when it begins again. */
  readonly settle: () => Promise<void>;
  constructor(settle: () => Promise<void>) {
    super('an object has to be converted by a webhook first');
    this.settle = settle;
  }
}

/** Source: the same, and util/webhook: requests have 30 seconds. */
const TIMEOUT_SECONDS = 30;
/** Conversions that are remembered beside those of the request that is being served. */
const MOST_KNOWN = 20_000;
const SUPPORTED = ['v1', 'v1beta1'];

type Known = { readonly converted: ApiObject } | { readonly error: StatusError };

export class WebhookConversion {
  readonly #target: WebhookTarget;
  readonly #reviewVersion: string;
  readonly #random: Random;
  readonly #known = new Map<string, Known>();
  /** How many watches show each version. */
  readonly #watched = new Map<string, number>();

  /** @param webhook `spec.conversion.webhook` */
  constructor(webhook: JsonObject, random: Random) {
    this.#target = webhookTarget(objectMember(webhook, 'clientConfig'));
    const versions = member(webhook, 'conversionReviewVersions');
    const listed = Array.isArray(versions) ? versions : [];
    this.#reviewVersion = SUPPORTED.includes(String(listed[0])) ? String(listed[0]) : 'v1';
    this.#random = random;
  }

  /**
   * The object in the wanted version.
   *
   * Errors: AwaitsConversion where the webhook has to be asked; 500 with what it failed with, which is told once.
   */
  converted(object: ApiObject, desired: string): ApiObject {
    if (object.apiVersion === desired) return object;
    if (isEmpty(object)) return { ...object, apiVersion: desired };
    const key = keyOf(object, desired);
    const known = this.#known.get(key);
    if (known === undefined) throw new AwaitsConversion(() => this.convert([object], desired));
    if ('converted' in known) return withOwnMetadata(object, known.converted);
    this.#known.delete(key);
    throw known.error;
  }

  /** Asks the webhook for objects that are not known in that version, all in one request. */
  async convert(objects: readonly ApiObject[], desired: string, again = false): Promise<void> {
    const missing = objects.filter(
      (one) => one.apiVersion !== desired && (again || !this.#known.has(keyOf(one, desired))),
    );
    const [first] = missing;
    if (first === undefined) return;
    const uid = this.#random.uuid();
    const review = { version: this.#reviewVersion, uid, desired, objects: missing };
    const reply = await postToWebhook(this.#target, writeJsonBytes(reviewBody(review)), TIMEOUT_SECONDS);
    const result = reply.ok
      ? reviewed(review, reply.body)
      : { ok: false as const, error: `failed: ${reply.error}` };
    if (this.#known.size + missing.length > MOST_KNOWN) this.#forgetAllBut(objects, desired);
    missing.forEach((one, i) => {
      const converted = result.ok ? result.objects[i] : undefined;
      const why = result.ok ? '' : result.error;
      const known: Known =
        converted === undefined
          ? { error: bareError(500, `conversion webhook for ${shownSource(one)} ${why}`) }
          : { converted };
      this.#known.set(keyOf(one, desired), known);
    });
  }

  /** What waits for these objects must find all of them known, or it would ask for ever. */
  #forgetAllBut(objects: readonly ApiObject[], desired: string): void {
    const needed = new Set(objects.map((one) => keyOf(one, desired)));
    for (const key of this.#known.keys()) if (!needed.has(key)) this.#known.delete(key);
  }

  /** Versions whose watches need each object that is written from now on. Answers how to end that. */
  watch(version: string): () => void {
    this.#watched.set(version, (this.#watched.get(version) ?? 0) + 1);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      const left = (this.#watched.get(version) ?? 1) - 1;
      if (left === 0) this.#watched.delete(version);
      else this.#watched.set(version, left);
    };
  }

  /** Before an object is stored: that its watches and its writer can be shown it. Errors: AwaitsConversion. */
  prepare(stored: ApiObject, asked: string): void {
    for (const version of new Set([asked, ...this.#watched.keys()])) {
      if (version === stored.apiVersion || this.#known.has(keyOf(stored, version))) continue;
      throw new AwaitsConversion(() => this.convert([stored], version));
    }
  }
}

const HEAD: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** Of no object in particular: a webhook is not asked. */
const isEmpty = (object: ApiObject): boolean =>
  Object.keys(object.metadata).length === 0 && Object.keys(object).every((name) => HEAD.has(name));

/** What a webhook may go by: the server's own part of the metadata is left out, since it changes with each try. */
function keyOf(object: ApiObject, desired: string): string {
  const { metadata, ...rest } = object;
  const shown: JsonValue = {
    name: nameOf(object),
    namespace: namespaceOf(object),
    labels: objectMember(metadata, 'labels') ?? null,
    annotations: objectMember(metadata, 'annotations') ?? null,
  };
  return `${desired} ${writeJson({ ...rest, metadata: shown })}`;
}

function withOwnMetadata(object: ApiObject, converted: ApiObject): ApiObject {
  if (uidOf(object) === uidOf(converted) && object.metadata === converted.metadata) return converted;
  const metadata = editMetadata(object.metadata, {
    labels: objectMember(converted.metadata, 'labels'),
    annotations: objectMember(converted.metadata, 'annotations'),
  });
  return withMetadata(converted, metadata);
}

/** Of a definition; undefined where its versions differ in name only. */
export function webhookConversionOf(
  conversion: JsonObject | undefined,
  random: Random,
): WebhookConversion | undefined {
  const webhook = objectMember(conversion, 'webhook');
  return stringMember(conversion, 'strategy') === 'Webhook' && webhook !== undefined
    ? new WebhookConversion(webhook, random)
    : undefined;
}
