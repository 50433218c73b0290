import { describe, expect, it } from 'vitest';
import { HOLDER, VALIDATOR } from '../../../test/ports/holder.ts';
import { MapChain } from '../../../test/ports/map-chain.ts';
import { refusalOf } from '../../../test/run-operation.ts';
import type { AccountSearch } from '../../chain/chain.ts';
import { EPHEMERAL_TOKEN_PROGRAM, NATIVE_MINT, USDC_MINT } from '../../programs/addresses.ts';
import { deriveEata, deriveShuttleMetadata } from '../../programs/ephemeral-token/pdas.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import { findShuttles } from './find.ts';

const mint = USDC_MINT;

/** A chain that counts its searches, with shuttles of these ids and, where asked for, their eATAs. */
function chainWith(ids: readonly number[], { owner = HOLDER, hasEatas = true } = {}) {
  const chain = new MapChain();
  const searches: AccountSearch[] = [];
  const search = chain.searchAccounts.bind(chain);
  chain.searchAccounts = (wanted) => {
    searches.push(wanted);
    return search(wanted);
  };
  const shuttles = ids.map((id) => putShuttle(chain, owner, id, hasEatas));
  return { chain, searches, shuttles };
}

function putShuttle(chain: MapChain, owner: Address, id: number, hasEata: boolean): Address {
  const { address, bump } = deriveShuttleMetadata(owner, mint, id);
  const data = Buffer.alloc(72);
  data.set(addressBytes(owner), 0);
  data.set(addressBytes(VALIDATOR), 32);
  data.writeUInt32LE(id, 64);
  data[68] = bump;
  chain.put(address, { owner: EPHEMERAL_TOKEN_PROGRAM, data });
  if (hasEata) {
    const eata = Buffer.alloc(80);
    eata.set(addressBytes(address), 0);
    eata.set(addressBytes(mint), 32);
    chain.put(deriveEata(address, mint).address, { owner: EPHEMERAL_TOKEN_PROGRAM, data: eata });
  }
  return address;
}

const upTo = (count: number) => Array.from({ length: count }, (_, id) => id);

describe('findShuttles', () => {
  it('searches once if the mint is named, and never if the shuttles are named too', async () => {
    const { chain, searches, shuttles } = chainWith(upTo(3), { hasEatas: false });
    expect((await findShuttles(chain, { owner: HOLDER, mint })).found).toHaveLength(3);
    expect(searches).toEqual([
      {
        program: EPHEMERAL_TOKEN_PROGRAM,
        byteCount: 72,
        having: { offset: 0, address: HOLDER },
      },
    ]);
    expect((await findShuttles(chain, { mint, shuttles })).found).toHaveLength(3);
    expect(searches).toHaveLength(1);
  });

  it('searches the mints of a few shuttles, and returns how many it did not examine', async () => {
    const { chain, searches } = chainWith(upTo(30));
    const { found, unexamined } = await findShuttles(chain, { owner: HOLDER });
    expect([found.length, unexamined]).toEqual([24, 6]);
    expect(searches).toHaveLength(25);
    expect(await findShuttles(chain, { owner: HOLDER, mint })).toMatchObject({ unexamined: 0 });
  });

  it('returns a limited number of shuttles, and the number of the others', async () => {
    const { chain } = chainWith(upTo(130), { hasEatas: false });
    const { found, unexamined } = await findShuttles(chain, { owner: HOLDER, mint });
    expect([found.length, unexamined]).toEqual([128, 2]);
  });

  it('does not mistake an eATA of layout A, which has the same size, for a shuttle', async () => {
    const { chain } = chainWith([1]);
    const data = Buffer.alloc(72);
    data.set(addressBytes(HOLDER), 0);
    data.set(addressBytes(mint), 32);
    data.writeBigUInt64LE(5n, 64);
    chain.put(deriveEata(HOLDER, mint).address, {
      owner: EPHEMERAL_TOKEN_PROGRAM,
      data: Uint8Array.from(data),
    });
    data.writeBigUInt64LE(5_000_000_000_000n, 64);
    chain.put(deriveEata(HOLDER, NATIVE_MINT).address, { owner: EPHEMERAL_TOKEN_PROGRAM, data });
    expect((await findShuttles(chain, { owner: HOLDER })).found).toHaveLength(1);
  });

  it('says what to pass if the ledger cannot be searched', async () => {
    const { chain, shuttles } = chainWith([1]);
    const closed = Object.assign(chain, { searchAccounts: undefined });
    const refusal = await refusalOf(findShuttles(closed, { owner: HOLDER, mint }));
    expect(refusal).toMatchObject({ code: 'UNSUPPORTED_ON_CLUSTER' });
    expect(refusal.message).toContain('pass shuttles and mint');
    expect((await findShuttles(closed, { shuttles, mint })).found).toHaveLength(1);
  });
});
