/** Bindings that name their pod in the body: the older form of a pod's own subresource. */
import { type KindRules } from '../kind-rules.js';
import { bindNamedPod } from './pod-binding.js';

export const bindingRules: KindRules = {
  group: '',
  resource: 'bindings',
  action: bindNamedPod,
  keepsIdentity: true,
};
