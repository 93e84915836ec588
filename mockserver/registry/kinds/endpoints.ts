/** Endpoints: deprecated, and every request is told so. */
import { type KindRules } from '../kind-rules.js';

export const endpointsRules: KindRules = {
  group: '',
  resource: 'endpoints',
  requestWarning: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
};
