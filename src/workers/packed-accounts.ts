import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';

/** Accounts on their way to another process: what they are, and the data of all of them, one after another. */
export type PackedAccounts = readonly [rows: readonly (PackedAccount | null)[], data: Uint8Array];

type PackedAccount = readonly [
  lamports: bigint,
  owner: Address,
  dataBytes: number,
  executable: boolean,
  rentEpoch: bigint,
];

const NO_DATA = new Uint8Array(0);

/** Each array of bytes costs the serialiser as much as a whole account otherwise: so there is one. */
export function packAccounts(accounts: readonly (Account | null)[]): PackedAccounts {
  const rows = accounts.map(
    (account): PackedAccount | null =>
      account && [
        account.lamports,
        account.owner,
        account.data.length,
        account.executable,
        account.rentEpoch,
      ],
  );
  return [rows, joinData(accounts)];
}

/** The accounts again, in their order. */
export function unpackAccounts([rows, data]: PackedAccounts): (Account | null)[] {
  let end = 0;
  return rows.map((row) => {
    if (row === null) return null;
    const [lamports, owner, dataBytes, executable, rentEpoch] = row;
    const start = end;
    end += dataBytes;
    return { lamports, owner, data: data.subarray(start, end), executable, rentEpoch };
  });
}

function joinData(accounts: readonly (Account | null)[]): Uint8Array {
  const parts = accounts.flatMap((account) =>
    account === null || account.data.length === 0 ? [] : [account.data],
  );
  return parts.length > 1 ? Buffer.concat(parts) : (parts[0] ?? NO_DATA);
}
