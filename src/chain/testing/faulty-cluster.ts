import { createHash } from 'node:crypto';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { type Outcome, ScriptedTransport, type SentCall } from './scripted-transport.ts';

/** Returns a whole number from 0 to `end - 1`. */
export type Draw = (end: number) => number;

/** Creates a generator whose draws depend only on its seed (mulberry32). */
export function drawFrom(seed: number): Draw {
  let state = seed >>> 0;
  return (end) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % end;
  };
}

/** The behavior of one URL of a cluster, the same for every caller. */
const MANNERS = [
  'agave',
  'agave',
  'agave',
  'other order',
  'spaces',
  'breaks off every call once',
  'unreachable',
  'times out',
  'limits rates',
  'fails',
  'talks nonsense',
  'forbids',
] as const;

/** Kinds of accounts. Most are present or absent; some make the call that reads them fail. */
const KINDS = [
  'there',
  'there',
  'there',
  'absent',
  'there',
  'senseless',
  'senseless at the first',
  'huge',
  'refused',
] as const;

const ADDRESSES = 160;
export const addressAt = (index: number): Address =>
  addressOf(createHash('sha256').update(`account ${index}`).digest());
const known: readonly Address[] = Array.from({ length: ADDRESSES }, (_, index) => addressAt(index));
const indexOf = new Map(known.map((address, index) => [address, index]));

/**
 * A cluster at several URLs with every fault that a cluster can have. Each URL has a fixed behavior and each
 * account a fixed kind, so the answer to a request does not depend on the number of calls. The slot advances
 * with every call, and the rent epoch of an account is the slot at which it was read.
 */
export class FaultyCluster {
  readonly urls: readonly URL[];
  readonly transport: ScriptedTransport;
  readonly #manners: readonly (typeof MANNERS)[number][];
  readonly #kinds: readonly (typeof KINDS)[number][];
  readonly #turnsOf: Draw;
  readonly #brokenOff = new Set<string>();
  #slot = 1_000;

  /** Two clusters with the same seed behave the same; `turns` determines how long their answers take. */
  constructor(seed: number, turns: Draw) {
    const draw = drawFrom(seed);
    const urlCount = 1 + draw(3);
    this.urls = Array.from({ length: urlCount }, (_, at) => new URL(`https://rpc${at}.example/`));
    const manners = this.urls.map(() => MANNERS[draw(MANNERS.length)] as (typeof MANNERS)[number]);
    // With several URLs, the limit on attempts would make the result depend on the order of calls.
    this.#manners = manners.map((each) =>
      urlCount > 1 && each === 'breaks off every call once' ? 'agave' : each,
    );
    // Half of all clusters have no faulty accounts.
    const kindCount = draw(2) === 0 ? 5 : KINDS.length;
    this.#kinds = known.map(() => KINDS[draw(6) > 0 ? draw(5) : draw(kindCount)] as (typeof KINDS)[number]);
    this.#turnsOf = turns;
    this.transport = new ScriptedTransport(async ({ url }, call) => {
      const outcome = this.#answer(Number(/\d/.exec(url.hostname)?.[0]), call);
      for (let turn = this.#turnsOf(4); turn > 0; turn--)
        await new Promise((resolve) => setImmediate(resolve));
      return outcome;
    });
  }

  #answer(at: number, { id, params }: SentCall): Outcome {
    const slot = this.#slot++;
    switch (this.#manners[at]) {
      case 'breaks off every call once':
        if (this.#brokenOff.has(`${at} ${id}`)) break;
        this.#brokenOff.add(`${at} ${id}`);
        return { fault: 'broken-off' };
      case 'unreachable':
        return { fault: 'unreachable' };
      case 'times out':
        return { fault: 'timed-out' };
      case 'limits rates':
        return { status: 429, retryAfter: '3' };
      case 'fails':
        return { status: 500 };
      case 'talks nonsense':
        return { body: '<html>' };
      case 'forbids':
        return { status: 403 };
      default:
    }
    const indices = (params[0] as Address[]).map((address) => indexOf.get(address) as number);
    const kinds = new Set(indices.map((index) => this.#kinds[index]));
    if (kinds.has('huge')) return { fault: 'too-large' };
    if (kinds.has('refused'))
      return { body: `{"jsonrpc":"2.0","error":{"code":-32602,"message":"no"},"id":${id}}` };
    return { body: this.#write(at, id, slot, indices) };
  }

  #write(at: number, id: number, slot: number, indices: readonly number[]): string {
    const manners = this.#manners[at];
    const inOrder = manners !== 'other order';
    const accounts = indices.map((index) =>
      accountText(index, this.#kinds[index] ?? 'absent', { at, slot, inOrder }),
    );
    const result = `{"context":{"apiVersion":"2.2.14","slot":${slot}},"value":[${accounts.join()}]}`;
    const body = inOrder
      ? `{"jsonrpc":"2.0","result":${result},"id":${id}}`
      : `{"id":${id},"jsonrpc":"2.0","result":${result}}`;
    return manners === 'spaces' ? body.replaceAll(',"', ', "') : body;
  }
}

function accountText(
  index: number,
  kind: (typeof KINDS)[number],
  { at, slot, inOrder }: { at: number; slot: number; inOrder: boolean },
): string {
  if (kind === 'absent') return 'null';
  const isSenseless = kind === 'senseless' || (kind === 'senseless at the first' && at === 0);
  const data = `"data":["${Buffer.alloc(index, index).toString('base64')}","base64"]`;
  const lamports = `"lamports":${isSenseless ? -1 : 18_446_744_073_709_551_615n - BigInt(index)}`;
  const owner = `"owner":"${index % 2 === 0 ? TOKEN_PROGRAM : SYSTEM_PROGRAM}"`;
  const epoch = `"rentEpoch":${slot}`;
  return inOrder
    ? `{${data},"executable":false,${lamports},${owner},${epoch},"space":${index}}`
    : `{${lamports},${data},${owner},"executable":false,${epoch}}`;
}

/** Creates the requests of one turn. Some repeat addresses, and some have a token. */
export function requestsOf(
  draw: Draw,
): readonly { readonly addresses: readonly Address[]; readonly token?: string }[] {
  return Array.from({ length: 1 + draw(12) }, (_, at) => {
    const count = draw(20) === 0 ? 101 + draw(20) : 1 + draw(12);
    const addresses = Array.from({ length: count }, () => addressAt(draw(ADDRESSES)));
    return draw(8) === 0 ? { addresses, token: `token ${at}` } : { addresses };
  });
}
