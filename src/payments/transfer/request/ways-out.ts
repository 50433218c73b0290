import type { Chain } from '../../../chain/chain.ts';
import type { TransferRequest } from './transfer-request.ts';

/** How the caller could make the transaction smaller, each a clause. */
export function waysOutOf(request: TransferRequest, chain: Chain): string[] {
  const ways: string[] = [];
  if (request.legacy && request.route === 'privateBase' && chain.transferLookupTable !== null) {
    ways.push('leave out legacy to allow the v0 form');
  }
  if (!request.mayBeV1 && request.sponsor === null) {
    ways.push('pass transactionVersion 1 if the cluster takes it');
  }
  if (request.memo !== null) ways.push('leave out the memo or shorten it');
  if (request.creates.vault) {
    ways.push('initialise the mint first (spl.initializeMint) and leave out initVaultIfMissing');
  }
  if (request.sponsor !== null) ways.push('leave out gasless');
  if (request.platformFee !== null) ways.push('pay the platform fee by a transfer of its own');
  if (request.creates.recipient)
    ways.push("have the recipient's accounts created first and leave out initIfMissing");
  return ways;
}
