/** What each row of a table carries beside its cells: the includeObject parameter. */
import { fieldErrorText, invalid } from '../../ground/field-error.js';
import { badRequest } from '../../ground/status.js';

export type IncludeObject = 'Metadata' | 'Object' | 'None';

/**
 * Reads the parameter; to be asked only when a table is.
 *
 * @param text its first value; absent and empty are Metadata.
 * Errors: 400. Source: apiserver endpoints/handlers/response.go, optionsForTransform.
 */
export function readIncludeObject(text: string | undefined): IncludeObject {
  switch (text) {
    case undefined:
    case '':
    case 'Metadata':
      return 'Metadata';
    case 'Object':
    case 'None':
      return text;
    default: {
      const error = invalid('includeObject', text, "must be 'Metadata', 'Object', 'None', or empty");
      throw badRequest(`Unable to convert to Table as requested: ${error.field}: ${fieldErrorText(error)}`);
    }
  }
}
