import type { Chain } from '../../../chain/chain.ts';
import { isServiceError } from '../../../errors/service-error.ts';
import { isTokenProgram } from '../../../programs/token/token-program.ts';
import { decodeMintScale } from '../../../programs/token/state.ts';
import type { Account } from '../../../solana/account.ts';
import type { Address } from '../../../solana/address.ts';
import { COMMON_MINTS } from '../../mints/common-mints.ts';
import { requireSaneMint } from '../../mints/mint-facts.ts';
import type { ChainFacts } from './chain-facts.ts';
import type { Finding } from '../finding.ts';

/**
 * Mints for which the ledger reports something impossible. None of its figures about them can be trusted
 * then.
 */
export function impossibleMintFindings(facts: ChainFacts | null, chain: Chain): Finding[] {
  return [...(facts?.accounts ?? [])].flatMap(([address, account]) => {
    if (account === null || !isMint(address, account)) return [];
    try {
      requireSaneMint(chain, address, account);
      return [];
    } catch (error) {
      if (!isServiceError(error)) throw error;
      return [{ level: 'danger', code: 'MINT_FACTS_WRONG', message: `${error.message}.` }];
    }
  });
}

const isMint = (address: Address, { owner, data }: Account): boolean =>
  COMMON_MINTS.has(address) || (isTokenProgram(owner) && decodeMintScale(data) !== null);
