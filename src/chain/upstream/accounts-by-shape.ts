import { RENT_EXEMPT_EPOCH, type Account } from '../../solana/account.ts';
import { isAddress, type Address } from '../../solana/address.ts';
import { U64_MAX } from './rpc-answers.ts';
import type { ShapedAnswer } from './rpc-client.ts';

/**
 * `getMultipleAccounts` as Agave writes it: these members in this order and no white space (its structs go
 * through a sorted map). Each expression takes up where the one before it ended. Integers of 15 digits are
 * exact in a double.
 */
const HEAD =
  /\{"jsonrpc":"2\.0","result":\{"context":\{(?:"apiVersion":"[\w.+-]*",)?"slot":(0|[1-9]\d{0,14})\},"value":\[/y;
const ACCOUNT =
  /\{"data":\["([A-Za-z0-9+/]*={0,2})","base64"\],"executable":(true|false),"lamports":(0|[1-9]\d{0,19}),"owner":"([1-9A-HJ-NP-Za-km-z]{32,44})","rentEpoch":(0|[1-9]\d{0,19})(?:,"space":(?:0|[1-9]\d{0,14}))?\}/y;
const TAIL = /\]\},"id":(0|[1-9]\d{0,14})\}[ \n\r\t]*$/y;

/** {@link RENT_EXEMPT_EPOCH} as text. */
const RENT_EXEMPT_TEXT = RENT_EXEMPT_EPOCH.toString();

/** The parts of {@link ACCOUNT}. */
type AccountParts = readonly [
  whole: string,
  data: string,
  executable: string,
  lamports: string,
  owner: string,
  rentEpoch: string,
];

/** What a `getMultipleAccounts` call is answered with. */
interface SlotAccounts {
  readonly context: { readonly slot: number };
  readonly value: (Account | null)[];
}

/**
 * Reads the body of an answer to `getMultipleAccounts` (encoding base64) that has Agave's shape, at a third
 * of what parsing JSON and checking the result costs. Null for any other body, right or wrong: the general
 * reader judges it.
 */
export function readAccountsByShape(body: string): ShapedAnswer<SlotAccounts> | null {
  HEAD.lastIndex = 0;
  const head = HEAD.exec(body);
  if (head === null) return null;
  const value: (Account | null)[] = [];
  let at = HEAD.lastIndex;
  while (body.charCodeAt(at) !== CLOSING_BRACKET) {
    if (value.length > 0 && body.charCodeAt(at++) !== COMMA) return null;
    if (body.startsWith('null', at)) {
      value.push(null);
      at += 4;
      continue;
    }
    ACCOUNT.lastIndex = at;
    const parts = ACCOUNT.exec(body) as AccountParts | null;
    const account = parts && accountOf(parts);
    if (account === null) return null;
    value.push(account);
    at = ACCOUNT.lastIndex;
  }
  TAIL.lastIndex = at;
  const tail = TAIL.exec(body);
  if (tail === null) return null;
  const slot = Number(head[1]);
  return { id: Number(tail[1]), slot, result: { context: { slot }, value } };
}

const CLOSING_BRACKET = 0x5d;
const COMMA = 0x2c;

function accountOf([, base64, executable, lamportsText, ownerText, epochText]: AccountParts): Account | null {
  const data = bytesOf(base64);
  const lamports = BigInt(lamportsText);
  const owner = ownerOf(ownerText);
  if (data === null || owner === null || lamports > U64_MAX) return null;
  const rentEpoch = epochText === RENT_EXEMPT_TEXT ? RENT_EXEMPT_EPOCH : BigInt(epochText);
  // The general reader knows what a larger one stands for.
  if (rentEpoch > U64_MAX) return null;
  return { lamports, owner, executable: executable === 'true', rentEpoch, data };
}

/** Null unless the text, of base64's letters and at most two `=`, is the one that encodes its bytes. */
function bytesOf(base64: string): Uint8Array | null {
  if (base64.length % 4 !== 0) return null;
  const bytes = Buffer.from(base64, 'base64');
  // Only the last letter before a `=` can have bits that stand for nothing.
  if (base64.endsWith('=')) {
    const rest = bytes.subarray(bytes.length - (bytes.length % 3));
    if (!base64.endsWith(rest.toString('base64'))) return null;
  }
  return bytes;
}

/** Most owners that are kept; a cluster's accounts belong to a handful of programs. */
const OWNERS_MAX = 64;
const owners = new Map<string, Address>();

/**
 * The owner as a text of its own, the same for all its accounts. What an expression captures is a part of the
 * whole body, which would stay in memory as long as the part.
 */
function ownerOf(text: string): Address | null {
  const known = owners.get(text);
  if (known !== undefined) return known;
  const own = Buffer.from(text, 'latin1').toString('latin1');
  if (!isAddress(own)) return null;
  if (owners.size >= OWNERS_MAX) owners.clear();
  owners.set(own, own);
  return own;
}
