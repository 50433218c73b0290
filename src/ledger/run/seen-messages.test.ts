import { describe, expect, it } from 'vitest';
import { SeenMessages } from './seen-messages.ts';

describe('SeenMessages', () => {
  it('recognizes a message as long as its blockhash is valid', () => {
    const seen = new SeenMessages();
    const message = Uint8Array.of(1, 2, 3);
    expect(seen.has(message, 500)).toBe(false);
    seen.add(message, 500, 500);
    seen.advanceTo(650);
    expect(seen.has(message, 500)).toBe(true);
    seen.advanceTo(651);
    expect(seen.has(message, 500)).toBe(false);
  });

  it('distinguishes messages with the same blockhash', () => {
    const seen = new SeenMessages();
    seen.add(Uint8Array.of(1, 2, 3), 500, 500);
    expect(seen.has(Uint8Array.of(1, 2, 4), 500)).toBe(false);
  });

  it('removes messages by their blockhash, in any order', () => {
    const seen = new SeenMessages();
    const messageOf = (height: number): Uint8Array => Uint8Array.of(height >> 8, height & 0xff);
    for (const height of [700, 560, 650, 561, 560]) seen.add(messageOf(height), height, height);
    const another = Uint8Array.of(1);
    seen.add(another, 560, 560);
    seen.advanceTo(711);
    const known = [560, 561, 650, 700].map((height) => seen.has(messageOf(height), height));
    expect(known).toEqual([false, true, true, true]);
    expect(seen.has(another, 560)).toBe(false);
  });

  it('queries the store only for blockhashes from before the start', () => {
    const asked: number[] = [];
    const hasMessage = ({ blockhashHeight, digest }: { blockhashHeight: number; digest: Uint8Array }) => {
      asked.push(blockhashHeight);
      return Buffer.from(digest).equals(kept.digest);
    };
    const message = Uint8Array.of(9);
    const kept = new SeenMessages(150).add(message, 499, 600);
    const seen = new SeenMessages(150, { heightMax: 500, store: { hasMessage } });
    expect([seen.has(message, 500), seen.has(Uint8Array.of(8), 500), seen.has(message, 501)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(asked).toEqual([500, 500]);
    expect(kept).toMatchObject({ blockhashHeight: 499, expiredBelow: 450 });
  });
});
