import type { ExplainTransactionOutput } from '../../src/client/generated.ts';
import { Address } from '../parts/address.tsx';
import { HostileText } from '../parts/hostile-text.tsx';
import { Tag } from '../parts/status.tsx';
import { piecesOf } from './words.ts';

type Instruction = ExplainTransactionOutput['instructions'][number];

/** A text from the service, with names in place of addresses. */
function ServiceText({ text }: { readonly text: string }) {
  return (
    <>
      {piecesOf(text).map((piece, at) =>
        piece.kind === 'address' ? (
          <Address address={piece.address} key={at} />
        ) : (
          <HostileText text={piece.text} key={at} />
        ),
      )}
    </>
  );
}

/** Every instruction in words. */
export function Instructions({ instructions }: { readonly instructions: readonly Instruction[] }) {
  const unknown = instructions.filter(({ known }) => !known).length;
  return (
    <details>
      <summary>
        Instructions
        <span class="dim">
          {instructions.length}, {unknown === 0 ? 'all known' : `${unknown} unknown`}
        </span>
      </summary>
      {instructions.map(({ index, action, program, programId, text, fields }) => (
        <div class="ix" key={index}>
          <div class="t">
            <b>{action}</b>
            <span title={programId}>
              <Tag>{program}</Tag>
            </span>
          </div>
          <p class="small muted">
            <ServiceText text={text} />
          </p>
          {fields.length === 0 ? null : (
            <p class="tiny dim">
              {fields.map(({ name, value }) => (
                <span key={name}>
                  {name} <HostileText text={value} />{' '}
                </span>
              ))}
            </p>
          )}
        </div>
      ))}
    </details>
  );
}

/** Every account with its roles. */
export function AccountsByRole({ instructions }: { readonly instructions: readonly Instruction[] }) {
  const roles = new Map<string, { readonly roles: Set<string>; signer: boolean; writable: boolean }>();
  for (const { accounts } of instructions) {
    for (const { address, role, signer, writable } of accounts) {
      const known = roles.get(address) ?? { roles: new Set<string>(), signer: false, writable: false };
      known.roles.add(role);
      known.signer ||= signer;
      known.writable ||= writable;
      roles.set(address, known);
    }
  }
  return (
    <details>
      <summary>
        Accounts<span class="dim">{roles.size}</span>
      </summary>
      {Array.from(roles, ([address, { roles: names, signer, writable }]) => (
        <div class="ix" key={address}>
          <div class="t">
            <Address address={address} copy />
            {signer ? <Tag>signer</Tag> : null}
            {writable ? <Tag>writable</Tag> : null}
          </div>
          <p class="small muted">{[...names].join(', ')}</p>
        </div>
      ))}
    </details>
  );
}
