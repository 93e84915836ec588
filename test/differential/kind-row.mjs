/** One kind of the table of kinds. */

/**
 * @typedef {object} Kind
 * @property {string} kind
 * @property {string} apiVersion
 * @property {string} plural
 * @property {boolean} namespaced
 * @property {object} object what a minimal valid object has besides apiVersion, kind and metadata
 * @property {readonly [readonly (string | number)[], readonly unknown[]][]} changes paths with values that are valid there
 * @property {boolean} [status] has the subresource
 * @property {boolean} [scale] has the subresource
 * @property {string} [named] the only name that is right
 * @property {boolean} [review] is answered, not stored
 * @property {number} weight 0: only as dry runs
 */

/** @returns {Kind} */
export const row = (weight, apiVersion, kind, plural, object, changes, more = {}) => ({
  weight,
  apiVersion,
  kind,
  plural,
  object,
  changes,
  namespaced: true,
  ...more,
});
