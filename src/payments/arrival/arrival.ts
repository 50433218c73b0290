import { z } from 'zod';

const ARRIVAL_OUTCOMES = ['arrived', 'moved nothing', 'still under way'] as const;

/** Outcome of a payment, with a sentence that says what to do next. */
export const arrival = z.object({
  outcome: z.enum(ARRIVAL_OUTCOMES).meta({
    description:
      'arrived: the destination shows it; moved nothing: no tokens were moved; still under way: neither has been seen yet.',
  }),
  message: z.string().meta({ description: 'What was observed, and how to check again.' }),
});

export type Arrival = z.infer<typeof arrival>;

export const arrived = (message: string): Arrival => ({ outcome: 'arrived', message });
export const movedNothing = (message: string): Arrival => ({ outcome: 'moved nothing', message });
export const pending = (message: string): Arrival => ({ outcome: 'still under way', message });
