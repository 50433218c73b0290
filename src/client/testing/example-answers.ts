/** Results recorded on a new localnet, by operation. */
export const EXAMPLE_ANSWERS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  deposit: {
    kind: 'deposit',
    version: 'legacy',
    transactionBase64:
      'AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAcQKmcfsS5XfSOLaLlaBHJry50iH2Ufk2TMz4STC2fHzIcpWsg4TLKzwRM8OxideoU3wRJigXQBSOf3zJaF6fssh0Yi3rQjTTdDtWM8Ndu6emCIKQ1J4GaJtIop7oeq2NQ6uMnBPfRSZpLmCNxZpqEtTjh96FlCtDJn2uK4qDKnj9fLRJJTPfp54cfe05CP+2R7NQPSjv46ZU39xtr8wggsHAOMFXIaTE3SOttClFckk7memeTUPAF5tvAzZlcotCXfA9cajseoSQY/vnUPoT8dng5OROPwqSivxFh92XSrnDDzpcCBb0vu3TXCyFUh8cMGorf1A9z5hn1VtTTWz3VoCvUvSl+hGeUaz8jm6nO1JPPg4pxwqG0e2H0y0rFts55KAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACIoQrEIZgB1vZqHTwGmMBmqa/U2bT850eXjdEFqNRnUoyXJY9OJInxuz0QKRSODYMLWhOZ2v8QhASOe9jb6fhZtbcA4fJXOsDMBiIBNErPl7g1BuuM5RmYzGJ+GJOApz7G+nrzvtutOj1l82qryXQxsbvkwtL24OR8pgIDRS9dYQaAyOpzyqzhHfDBuMDlL60R6ixsAMKAfeDvBuWHx19HBt324ddloZPZy+FGzut5rBy0he1fWzeROoz1hX7/AKkhF4iT/vDho1Zbea7DP1ZfNX0ZmNxEL5mf3q5WpsknDgYOBQMAAA0JAgD/DgcCAA0EDwsJAgH9CwYABAINCQ8BAQ4HAwINBwQADwkCQEIPAAAAAAAOCAADDgYFAQwJIgT/a3J6m3Ug/0Ihp5mMn2rhf08u5bvWd8bKt7/c/v7Uby8OBQMIAAkKAwb/AA==',
    sendTo: 'base',
    recentBlockhash: '3EBGVo3cREsNSE8VfJCeQ8TjCQ1kPL5RWG281S1r6YtD',
    lastValidBlockHeight: 670,
    instructionCount: 6,
    requiredSigners: ['3rXKwQ1kpjBd5tdcco32qsvqUh1BnZjcYnS5kYrP7AYE'],
    validator: '8ERsRhRxgmrEkfgu5rc4BdQL6Z99aPizimvbpeTsN93t',
    notes: ['It deposits 1 USDC (1000000 base units of mint EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v).'],
    warnings: [
      {
        code: 'INSUFFICIENT_TOKENS',
        message:
          "The owner's token account HQ6fRTZyj9WYiYmwHsezgqYNsdWe4VaF6TZVsbZXUnzu holds 0 USDC (0 base units of mint EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v), but the deposit needs 1 USDC (1000000 base units of mint EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v): fund it before sending, or the transaction fails.",
      },
      {
        code: 'INSUFFICIENT_LAMPORTS',
        message:
          'The owner holds 0 lamports, but the deposit needs at least 12707000 for rent and fee: fund the wallet before sending, or the transaction fails.',
      },
    ],
  },
  getBalance: {
    address: '3rXKwQ1kpjBd5tdcco32qsvqUh1BnZjcYnS5kYrP7AYE',
    mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    ata: 'HQ6fRTZyj9WYiYmwHsezgqYNsdWe4VaF6TZVsbZXUnzu',
    location: 'base',
    balance: '0',
    notes: [
      '3rXKwQ1kpjBd5tdcco32qsvqUh1BnZjcYnS5kYrP7AYE holds 0 USDC (0 base units of mint EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v) on the base ledger.',
    ],
  },
  explainTransaction: {
    verdict: 'danger',
    version: 'legacy',
    size: 174,
    cluster: 'localnet',
    sendTo: 'base',
    recentBlockhash: 'US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx',
    feePayer: 'FVen3X669xLzsi6N2V91DoiyzHzg1uAgqiT8jZ9nS96Z',
    signers: [
      {
        address: 'FVen3X669xLzsi6N2V91DoiyzHzg1uAgqiT8jZ9nS96Z',
        signature: 'valid',
      },
    ],
    fullySigned: true,
    lookupTables: [],
    instructions: [
      {
        index: 0,
        programId: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
        program: 'memo program',
        action: 'note',
        known: true,
        text: 'The public memo says "Hello"',
        accounts: [],
        fields: [
          {
            name: 'text',
            value: '48656c6c6f',
          },
        ],
      },
    ],
    effects: {
      tokens: [],
      lamports: [],
      accountsCreated: [],
      rentLamportsMax: '0',
      networkFeeLamportsMax: '5000',
    },
    findings: [
      {
        level: 'danger',
        code: 'BLOCKHASH_UNKNOWN',
        message:
          'Its blockhash is not valid on the base ledger: it has expired or belongs to another ledger. Build the transaction again.',
      },
      {
        level: 'caution',
        code: 'TRIAL_FAILS',
        message:
          'It would fail if sent now: The fee payer does not exist on this ledger: it has no lamports.',
      },
    ],
    chainRead: true,
    simulation: {
      status: 'fails',
      error: {
        name: 'AccountNotFound',
        message: 'The fee payer does not exist on this ledger: it has no lamports.',
      },
      computeUnits: 0,
      balanceChanges: [],
      logs: [],
      logsTruncated: false,
    },
  },
};
