import { describe, expect, it } from 'vitest';
import { digestMessage, SeenMessages } from './seen-messages.ts';

describe('SeenMessages', () => {
  it('knows a message as long as its blockhash is good', () => {
    const seen = new SeenMessages();
    const digest = digestMessage(Uint8Array.of(1, 2, 3));
    expect(seen.has(digest)).toBe(false);
    seen.add(digest, 500);
    seen.advanceTo(650);
    expect(seen.has(digest)).toBe(true);
    seen.advanceTo(651);
    expect(seen.has(digest)).toBe(false);
  });

  it('forgets by the blockhash, in whatever order messages came', () => {
    const seen = new SeenMessages();
    for (const slot of [700, 560, 650, 561, 560]) seen.add(`${slot}/${Math.sqrt(slot)}`, slot);
    seen.add('another of 560', 560);
    seen.advanceTo(711);
    const known = [560, 561, 650, 700].map((slot) => seen.has(`${slot}/${Math.sqrt(slot)}`));
    expect(known).toEqual([false, true, true, true]);
    expect(seen.has('another of 560')).toBe(false);
  });
});
