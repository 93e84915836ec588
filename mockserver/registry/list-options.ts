/** ListOptions: what a list, a watch or a delete of a collection asks for. */
import { type FeatureSet } from '../ground/features.js';
import { type FieldError, forbidden, notSupported } from '../ground/field-error.js';
import { badRequest, invalidOptions } from '../ground/status.js';
import {
  type FieldSelector,
  type SelectableFields,
  checkFields,
  nameSelector,
  parseFieldSelector,
} from '../watch/field-selector.js';
import { parseLabelSelector } from '../watch/label-selector-parser.js';
import { type LabelSelector } from '../watch/label-selector.js';
import { SelectorError } from '../watch/selector-error.js';
import { type Query, booleanValue, integerValue, textValue } from './query.js';

export interface ListOptions {
  readonly labels: LabelSelector;
  readonly fields: FieldSelector;
  readonly watch: boolean;
  readonly allowWatchBookmarks: boolean;
  /** As sent; `''` when unset. Nothing has looked at it yet. */
  readonly resourceVersion: string;
  readonly resourceVersionMatch: '' | 'Exact' | 'NotOlderThan';
  /** Seconds; may be negative. undefined or 0: the server chooses. */
  readonly timeoutSeconds: number | undefined;
  /** 0 or negative: no limit. */
  readonly limit: number;
  /** `''` when unset. */
  readonly continueToken: string;
  readonly sendInitialEvents: boolean | undefined;
}

export interface ListRequest {
  readonly query: Query;
  readonly selectable: SelectableFields;
  readonly features: FeatureSet;
  /** The name in the path of a deprecated watch of one object. */
  readonly name?: string | undefined;
}

/**
 * Decodes and checks the options, in the order of a server: numbers, label selector, field selector (400); defaults;
 * validation (422); fields that the resource can be selected by, and a name in the path (400).
 *
 * A watch under the deprecated `/watch/` prefix comes here like a list unless its query says `watch` too: it gets
 * neither the defaults nor the rules of a watch.
 * Source: apiserver handlers/get.go, apimachinery meta/internalversion/{defaults,validation}.
 */
export function decodeListOptions({ query, selectable, features, name }: ListRequest): ListOptions {
  const decoded = withDefaults(decode(query), features);
  const errors = decoded.watch ? watchErrors(decoded, features) : listErrors(decoded);
  if (errors.length > 0) throw invalidOptions('ListOptions', errors);
  const fields = asBadRequest(() => {
    checkFields(decoded.fields, selectable);
    return name === undefined ? decoded.fields : narrowToName(decoded.fields, name);
  });
  // Validation has passed: the match is one of those named in the type.
  return {
    ...decoded,
    fields,
    resourceVersionMatch: decoded.resourceVersionMatch as ListOptions['resourceVersionMatch'],
  };
}

/** Options whose match may still be any text. */
type Decoded = Omit<ListOptions, 'resourceVersionMatch'> & { readonly resourceVersionMatch: string };

function decode(query: Query): Decoded {
  const timeoutSeconds = integerValue(query, 'timeoutSeconds');
  const limit = integerValue(query, 'limit') ?? 0;
  return {
    timeoutSeconds,
    limit,
    labels: asBadRequest(() => parseLabelSelector(textValue(query, 'labelSelector'))),
    fields: asBadRequest(() => parseFieldSelector(textValue(query, 'fieldSelector'))),
    watch: booleanValue(query, 'watch') ?? false,
    allowWatchBookmarks: booleanValue(query, 'allowWatchBookmarks') ?? false,
    resourceVersion: textValue(query, 'resourceVersion'),
    resourceVersionMatch: textValue(query, 'resourceVersionMatch'),
    continueToken: textValue(query, 'continue'),
    sendInitialEvents: booleanValue(query, 'sendInitialEvents'),
  };
}

function asBadRequest<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof SelectorError) throw badRequest(error.message);
    throw error;
  }
}

/** A watch from no version, or from 0, gets initial events. Source: KEP-3157. */
function withDefaults(options: Decoded, features: FeatureSet): Decoded {
  const { watch, resourceVersion, resourceVersionMatch, sendInitialEvents } = options;
  const legacy = watch && (resourceVersion === '' || resourceVersion === '0');
  if (!features.WatchList || !legacy || sendInitialEvents !== undefined || resourceVersionMatch !== '') {
    return options;
  }
  return { ...options, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' };
}

const MATCH = 'resourceVersionMatch';

function listErrors(options: Decoded): FieldError[] {
  const { resourceVersion, resourceVersionMatch: match, continueToken, sendInitialEvents } = options;
  const errors: FieldError[] = [];
  if (match !== '') {
    if (resourceVersion === '') {
      errors.push(forbidden(MATCH, `${MATCH} is forbidden unless resourceVersion is provided`));
    }
    if (continueToken !== '') {
      errors.push(forbidden(MATCH, `${MATCH} is forbidden when continue is provided`));
    }
    if (match !== 'Exact' && match !== 'NotOlderThan') {
      errors.push(notSupported(MATCH, match, ['Exact', 'NotOlderThan', '']));
    }
    if (match === 'Exact' && resourceVersion === '0') {
      errors.push(forbidden(MATCH, `${MATCH} "exact" is forbidden for resourceVersion "0"`));
    }
  }
  if (sendInitialEvents !== undefined) {
    errors.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  return errors;
}

function watchErrors(options: Decoded, features: FeatureSet): FieldError[] {
  const { resourceVersionMatch: match, continueToken, sendInitialEvents } = options;
  const errors: FieldError[] = [];
  if (sendInitialEvents !== undefined) {
    if (match !== 'NotOlderThan') {
      errors.push(forbidden(MATCH, `sendInitialEvents requires setting ${MATCH} to NotOlderThan`));
    }
    if (!features.WatchList) {
      errors.push(
        forbidden(
          'sendInitialEvents',
          'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
        ),
      );
    }
  }
  if (match !== '') {
    if (sendInitialEvents === undefined) {
      errors.push(forbidden(MATCH, `${MATCH} is forbidden for watch unless sendInitialEvents is provided`));
    }
    if (match !== 'NotOlderThan') errors.push(notSupported(MATCH, match, ['NotOlderThan']));
    if (continueToken !== '') {
      errors.push(forbidden(MATCH, `${MATCH} is forbidden when continue is provided`));
    }
  }
  return errors;
}

function narrowToName(fields: FieldSelector, name: string): FieldSelector {
  if (fields.isEmpty) return nameSelector(name);
  if (fields.exactValueOf('metadata.name') !== name) {
    throw new SelectorError("fieldSelector metadata.name doesn't match requested name");
  }
  return fields;
}
