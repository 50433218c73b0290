import { z } from 'zod';

/** The outcome of a payment, as its destination shows it. */
const ARRIVAL_OUTCOMES = ['arrived', 'moved nothing', 'still under way'] as const;

/** What became of a payment, and a sentence that says what to do. */
export const arrival = z.object({
  outcome: z.enum(ARRIVAL_OUTCOMES).meta({
    description:
      'arrived: the destination shows it; moved nothing: no tokens were moved; still under way: neither has been seen yet.',
  }),
  message: z.string().meta({ description: 'What was seen, and how to look again.' }),
});

export type Arrival = z.infer<typeof arrival>;

export const arrived = (message: string): Arrival => ({ outcome: 'arrived', message });
export const movedNothing = (message: string): Arrival => ({ outcome: 'moved nothing', message });
export const stillUnderWay = (message: string): Arrival => ({ outcome: 'still under way', message });
