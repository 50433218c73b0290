/**
 * The bytes of addresses that were derived or decoded lately, by their base58 text. Within one request an
 * address is needed as bytes several times (as a seed, as a signer, in the message), and finding them here
 * takes a tenth of decoding the text.
 *
 * Every address has one place, which it takes from whichever was there before: nothing has to be counted or
 * cleared up, and nothing is allocated. What was overwritten is decoded again.
 */

/** Places; the addresses of some hundred requests. A power of two. */
const PLACES = 4_096;

const ADDRESS_BYTES = 32;

const texts: (string | undefined)[] = Array.from({ length: PLACES }, () => undefined);
const bytes = new Uint8Array(PLACES * ADDRESS_BYTES);

/** Where the bytes of an address begin in {@link recentBytes}, -1 when they are not known. */
export function recallAddress(text: string): number {
  const place = placeOf(text);
  return texts[place] === text ? place * ADDRESS_BYTES : -1;
}

/** Remembers an address by its 32 bytes; returns where they begin in {@link recentBytes}. */
export function rememberAddress(text: string, addressBytes: Uint8Array): number {
  const place = placeOf(text);
  texts[place] = text;
  bytes.set(addressBytes, place * ADDRESS_BYTES);
  return place * ADDRESS_BYTES;
}

/** The bytes of all places. Only to be read, and at once: the next address may take the place. */
export const recentBytes: Uint8Array = bytes;

/**
 * The last digits of an address are those that differ most evenly. 61 and 3,721 are odd and spread 58 digits
 * apart.
 */
function placeOf(text: string): number {
  const end = text.length;
  const mixed = text.charCodeAt(end - 1) + text.charCodeAt(end - 2) * 61 + text.charCodeAt(end - 3) * 3_721;
  return mixed & (PLACES - 1);
}
