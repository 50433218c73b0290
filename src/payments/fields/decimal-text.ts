import { z } from 'zod';

/**
 * The schemas made by {@link decimalText}. JSON Schema has no word for what they hold, so that typed clients
 * look here for the texts that they turn into integers.
 */
export const DECIMAL_TEXTS = z.registry();

/**
 * Base units or lamports in a result, as a decimal string: `-?(0|[1-9][0-9]*)`. A nullable one is described
 * where null is allowed.
 */
export const decimalText = (description?: string) =>
  (description === undefined ? z.string() : z.string().meta({ description })).register(DECIMAL_TEXTS);
