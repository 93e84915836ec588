/** Every effect, declared once: its type, its JSON schema, the reference in docs/faults.md and its words come from here. */
import { CACHE_EFFECTS } from './effects/cache.js';
import { type Declaration } from './effects/declaration.js';
import { LIST_EFFECTS } from './effects/list.js';
import { REQUEST_EFFECTS } from './effects/request.js';
import { SERVER_EFFECTS } from './effects/server.js';
import { STORE_EFFECTS } from './effects/store.js';
import { WATCH_EFFECTS } from './effects/watch.js';
import { type Members, type ValuesOf } from './member.js';

export const EFFECTS = {
  ...REQUEST_EFFECTS,
  ...LIST_EFFECTS,
  ...WATCH_EFFECTS,
  ...CACHE_EFFECTS,
  ...STORE_EFFECTS,
  ...SERVER_EFFECTS,
};

export type EffectKind = keyof typeof EFFECTS;

/** What an effect of a kind holds besides its kind. */
export type EffectMembers<K extends EffectKind> = ValuesOf<(typeof EFFECTS)[K]['members']>;

export type EffectOf<K extends EffectKind> = { readonly kind: K } & EffectMembers<K>;

export type Effect = { [K in EffectKind]: EffectOf<K> }[EffectKind];

// as: the keys of the declaration
export const EFFECT_KINDS = Object.keys(EFFECTS) as EffectKind[];

export const isEffectKind = (kind: unknown): kind is EffectKind =>
  typeof kind === 'string' && Object.hasOwn(EFFECTS, kind);

/** What an effect does, in words. */
export function effectWords(given: Effect): string {
  // as: the words of a kind take what its effects hold
  const { says, words } = EFFECTS[given.kind] as Declaration<Members>;
  return words === undefined ? says : words(given);
}
