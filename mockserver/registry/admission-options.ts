/** Which plugins of admission run: those that are on by default, or other ones. */
import { ADMISSION_PLUGINS, OFF_BY_DEFAULT, PLUGIN_NAMES } from './kinds/admission-all.js';
import { type AdmissionPlugin } from './admission-plugin.js';

/** `none`: NamespaceLifecycle alone; or what differs from the default set. */
export type AdmissionOption =
  'none' | { readonly enable?: readonly string[]; readonly disable?: readonly string[] };

/** The name of the one plugin that is part of the way of every create into a namespace. */
export const NAMESPACE_LIFECYCLE = 'NamespaceLifecycle';

/**
 * The plugins that run, in the order in which they are asked.
 *
 * Errors: RangeError for a name that no server knows, for one that is not there to be enabled, and for one that is
 * enabled and disabled at once.
 */
export function chosenPlugins(option: AdmissionOption): readonly AdmissionPlugin[] {
  if (option === 'none') return ADMISSION_PLUGINS.filter(({ name }) => name === NAMESPACE_LIFECYCLE);
  const { enable = [], disable = [] } = option;
  for (const [list, names] of [
    ['enable', enable],
    ['disable', disable],
  ] as const)
    for (const name of names)
      if (!PLUGIN_NAMES.includes(name))
        throw new RangeError(`admission.${list}: ${name} is none of ${PLUGIN_NAMES.join(', ')}`);
  const both = enable.find((name) => disable.includes(name));
  if (both !== undefined) throw new RangeError(`admission: ${both} is both enabled and disabled`);
  const missing = enable.find((name) => !ADMISSION_PLUGINS.some((plugin) => plugin.name === name));
  if (missing !== undefined)
    throw new RangeError(`admission.enable: ${missing} is not there; see docs/limits.md`);
  return ADMISSION_PLUGINS.filter(
    ({ name }) => !disable.includes(name) && (enable.includes(name) || !OFF_BY_DEFAULT.includes(name)),
  );
}
