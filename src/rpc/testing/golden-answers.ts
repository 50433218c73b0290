/**
 * Answers recorded from jsonrpc-core 18 with serde 1.0.228, serde_json 1.0.150 and the parameter types of
 * Agave 4.2.1.
 */

/** Request bodies and complete answers. `<result>` means any result, '' means no body. */
export const GOLDEN_ENVELOPES: readonly (readonly [request: string, answer: string])[] = [
  ['{"jsonrpc":"2.0","id":1,"method":"getSlot"}', '{"jsonrpc":"2.0","result":<result>,"id":1}'],
  ['{"jsonrpc":"2.0","id":1,"method":"getSlot","params":[]}', '{"jsonrpc":"2.0","result":<result>,"id":1}'],
  ['{"jsonrpc":"2.0","id":1,"method":"getSlot","params":null}', '{"jsonrpc":"2.0","result":<result>,"id":1}'],
  [
    '{"jsonrpc":"2.0","id":1,"method":"getSlot","params":{}}',
    '{"jsonrpc":"2.0","error":{"code":-32602,"message":"`params` should be an array"},"id":1}',
  ],
  [
    '{"jsonrpc":"2.0","id":1,"method":"getSlot","params":{"commitment":"processed"}}',
    '{"jsonrpc":"2.0","error":{"code":-32602,"message":"`params` should be an array"},"id":1}',
  ],
  [
    '{"jsonrpc":"2.0","id":1,"method":"getSlot","params":"x"}',
    '{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request"},"id":1}',
  ],
  ['{"jsonrpc":"2.0","id":"abc","method":"getSlot"}', '{"jsonrpc":"2.0","result":<result>,"id":"abc"}'],
  ['{"jsonrpc":"2.0","id":null,"method":"getSlot"}', '{"jsonrpc":"2.0","result":<result>,"id":null}'],
  [
    '{"jsonrpc":"2.0","id":-1,"method":"getSlot"}',
    '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}',
  ],
  [
    '{"jsonrpc":"2.0","id":1.5,"method":"getSlot"}',
    '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}',
  ],
  [
    '{"jsonrpc":"2.0","id":[1],"method":"getSlot"}',
    '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}',
  ],
  [
    '{"jsonrpc":"2.0","id":18446744073709551615,"method":"getSlot"}',
    '{"jsonrpc":"2.0","result":<result>,"id":18446744073709551615}',
  ],
  ['{"jsonrpc":"2.0","method":"getSlot"}', ''],
  [
    '{"id":1,"method":"getSlot"}',
    '{"error":{"code":-32600,"message":"Unsupported JSON-RPC protocol version"},"id":1}',
  ],
  [
    '{"jsonrpc":"1.0","id":1,"method":"getSlot"}',
    '{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request"},"id":1}',
  ],
  [
    '{"jsonrpc":"2.0","id":1,"method":"getSlot","extra":true}',
    '{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request"},"id":1}',
  ],
  [
    '{"jsonrpc":"2.0","id":1}',
    '{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request"},"id":1}',
  ],
  [
    '{"jsonrpc":"2.0","id":1,"method":5}',
    '{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request"},"id":1}',
  ],
  [
    '{"jsonrpc":"2.0","id":1,"method":"nope"}',
    '{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":1}',
  ],
  [
    '{"jsonrpc":"2.0","id":1,"method":"nope","params":{"a":1}}',
    '{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":1}',
  ],
  [
    '{"jsonrpc":"2.0","id":1,"method":',
    '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}',
  ],
  ['not json', '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}'],
  ['', '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}'],
  ['[]', ''],
  ['[1]', '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}'],
  [
    '[{"jsonrpc":"2.0","id":1,"method":"getHealth"},{"jsonrpc":"2.0","id":2,"method":"nope"}]',
    '[{"jsonrpc":"2.0","result":<result>,"id":1},{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":2}]',
  ],
  ['[{"jsonrpc":"2.0","method":"getHealth"}]', ''],
  [
    '[{"jsonrpc":"2.0","id":7},{"jsonrpc":"2.0","id":8,"method":"getHealth"}]',
    '[{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request"},"id":7},{"jsonrpc":"2.0","result":<result>,"id":8}]',
  ],
  ['"str"', '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}'],
  ['5', '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}'],
  ['null', '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}'],
  ['{}', '{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request"},"id":null}'],
  [
    '{"jsonrpc":"2.0","id":1,"method":"getHealth","params":[1]}',
    '{"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid parameters: No parameters were expected","data":"Array([Number(1)])"},"id":1}',
  ],
  [
    '{"jsonrpc":"2.0","id":1,"method":"getHealth","params":{}}',
    '{"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid parameters: No parameters were expected","data":"Map({})"},"id":1}',
  ],
  [
    '{"jsonrpc":"2.0","id":1,"method":"getHealth","params":{"a":1}}',
    '{"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid parameters: No parameters were expected","data":"Map({\\"a\\": Number(1)})"},"id":1}',
  ],
  [
    '{"jsonrpc":"2.0","id":1,"method":"getHealth"} trailing',
    '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}',
  ],
];

/** A fault in parameters: code, message and the text of `data`, if any. */
type GoldenFault = readonly [code: number, message: string, data?: string];

/** Method, `params` (undefined if absent), and the fault or 'accepted'. */
export const GOLDEN_PARAMS: readonly (readonly [
  method: string,
  params: string | undefined,
  answer: GoldenFault | 'accepted',
])[] = [
  ['getSlot', '[null]', 'accepted'],
  ['getSlot', '[{}]', 'accepted'],
  ['getSlot', '[{"commitment":"processed"}]', 'accepted'],
  ['getSlot', '[{"commitment":"bogus"}]', 'accepted'],
  ['getSlot', '[{"commitment":null}]', 'accepted'],
  ['getSlot', '[{"commitment":"recent"}]', 'accepted'],
  [
    'getSlot',
    '[{"minContextSlot":-1}]',
    [-32602, 'Invalid params: invalid value: integer `-1`, expected u64.'],
  ],
  [
    'getSlot',
    '[{"minContextSlot":"5"}]',
    [-32602, 'Invalid params: invalid type: string "5", expected u64.'],
  ],
  [
    'getSlot',
    '[{"minContextSlot":1.0}]',
    [-32602, 'Invalid params: invalid type: floating point `1.0`, expected u64.'],
  ],
  ['getSlot', '[{"unknown":1}]', 'accepted'],
  [
    'getSlot',
    '["finalized"]',
    [-32602, 'Invalid params: invalid type: string "finalized", expected struct RpcContextConfig.'],
  ],
  [
    'getSlot',
    '[5]',
    [-32602, 'Invalid params: invalid type: integer `5`, expected struct RpcContextConfig.'],
  ],
  ['getSlot', '[[]]', [-32602, 'Invalid params: invalid type: sequence, expected struct RpcContextConfig.']],
  ['getSlot', '[{},{}]', [-32602, 'Invalid parameters: Expected from 0 to 1 parameters.', '"\\"Got: 2\\""']],
  ['getMinimumBalanceForRentExemption', undefined, [-32602, '`params` should have at least 1 argument(s)']],
  ['getMinimumBalanceForRentExemption', '[]', [-32602, '`params` should have at least 1 argument(s)']],
  ['getMinimumBalanceForRentExemption', '[50]', 'accepted'],
  ['getMinimumBalanceForRentExemption', '[50,null]', 'accepted'],
  ['getMinimumBalanceForRentExemption', '[50,{"commitment":"processed"}]', 'accepted'],
  ['getMinimumBalanceForRentExemption', '[50,{}]', [-32602, 'Invalid params: missing field `commitment`.']],
  [
    'getMinimumBalanceForRentExemption',
    '[50,{"commitment":"bogus"}]',
    [
      -32602,
      'Invalid params: unknown variant `bogus`, expected one of `processed`, `confirmed`, `finalized`.',
    ],
  ],
  [
    'getMinimumBalanceForRentExemption',
    '[50,{"commitment":null}]',
    [-32602, 'Invalid params: invalid type: null, expected string or map.'],
  ],
  [
    'getMinimumBalanceForRentExemption',
    '[50,{"commitment":5}]',
    [-32602, 'Invalid params: invalid type: integer `5`, expected string or map.'],
  ],
  [
    'getMinimumBalanceForRentExemption',
    '[50,"processed"]',
    [-32602, 'Invalid params: invalid type: string "processed", expected struct CommitmentConfig.'],
  ],
  [
    'getMinimumBalanceForRentExemption',
    '[-1]',
    [-32602, 'Invalid params: invalid value: integer `-1`, expected usize.'],
  ],
  [
    'getMinimumBalanceForRentExemption',
    '[1.5]',
    [-32602, 'Invalid params: invalid type: floating point `1.5`, expected usize.'],
  ],
  [
    'getMinimumBalanceForRentExemption',
    '[1.0]',
    [-32602, 'Invalid params: invalid type: floating point `1.0`, expected usize.'],
  ],
  [
    'getMinimumBalanceForRentExemption',
    '["50"]',
    [-32602, 'Invalid params: invalid type: string "50", expected usize.'],
  ],
  [
    'getMinimumBalanceForRentExemption',
    '[null]',
    [-32602, 'Invalid params: invalid type: null, expected usize.'],
  ],
  [
    'getMinimumBalanceForRentExemption',
    '[true]',
    [-32602, 'Invalid params: invalid type: boolean `true`, expected usize.'],
  ],
  ['getMinimumBalanceForRentExemption', '[18446744073709551615]', 'accepted'],
  [
    'getMinimumBalanceForRentExemption',
    '[18446744073709551616]',
    [-32602, 'Invalid params: invalid type: floating point `1.8446744073709552e+19`, expected usize.'],
  ],
  [
    'getMinimumBalanceForRentExemption',
    '[1e3]',
    [-32602, 'Invalid params: invalid type: floating point `1000.0`, expected usize.'],
  ],
  [
    'getMinimumBalanceForRentExemption',
    '[[1]]',
    [-32602, 'Invalid params: invalid type: sequence, expected usize.'],
  ],
  [
    'getMinimumBalanceForRentExemption',
    '[{"a":1}]',
    [-32602, 'Invalid params: invalid type: map, expected usize.'],
  ],
  [
    'getMinimumBalanceForRentExemption',
    '[1,{},{}]',
    [-32602, 'Invalid parameters: Expected from 1 to 2 parameters.', '"\\"Got: 3\\""'],
  ],
  ['getMinimumBalanceForRentExemption', '{"a":1}', [-32602, '`params` should be an array']],
  ['getTokenLargestAccounts', '[]', [-32602, '`params` should have at least 1 argument(s)']],
  ['getTokenLargestAccounts', '["m",{}]', [-32602, 'Invalid params: missing field `commitment`.']],
  [
    'getTokenLargestAccounts',
    '["m",{"commitment":"max"}]',
    [-32602, 'Invalid params: unknown variant `max`, expected one of `processed`, `confirmed`, `finalized`.'],
  ],
  [
    'getTokenLargestAccounts',
    '[5]',
    [-32602, 'Invalid params: invalid type: integer `5`, expected a string.'],
  ],
  ['getTokenLargestAccounts', '["m",{"commitment":"processed","minContextSlot":5}]', 'accepted'],
  ['getTransaction', '[]', [-32602, '`params` should have at least 1 argument(s)']],
  ['getTransaction', '["s"]', 'accepted'],
  ['getTransaction', '["s","json"]', 'accepted'],
  [
    'getTransaction',
    '["s","bogus"]',
    [-32602, 'Invalid params: data did not match any variant of untagged enum RpcEncodingConfigWrapper.'],
  ],
  [
    'getTransaction',
    '["s",{"encoding":"json","commitment":"confirmed","maxSupportedTransactionVersion":0}]',
    'accepted',
  ],
  [
    'getTransaction',
    '["s",{"encoding":"bogus"}]',
    [-32602, 'Invalid params: data did not match any variant of untagged enum RpcEncodingConfigWrapper.'],
  ],
  ['getTransaction', '["s",{"commitment":"bogus"}]', 'accepted'],
  [
    'getTransaction',
    '["s",{"maxSupportedTransactionVersion":256}]',
    [-32602, 'Invalid params: data did not match any variant of untagged enum RpcEncodingConfigWrapper.'],
  ],
  [
    'getTransaction',
    '["s",{"maxSupportedTransactionVersion":-1}]',
    [-32602, 'Invalid params: data did not match any variant of untagged enum RpcEncodingConfigWrapper.'],
  ],
  [
    'getTransaction',
    '["s",{"maxSupportedTransactionVersion":"0"}]',
    [-32602, 'Invalid params: data did not match any variant of untagged enum RpcEncodingConfigWrapper.'],
  ],
  [
    'getTransaction',
    '["s",{"maxSupportedTransactionVersion":"legacy"}]',
    [-32602, 'Invalid params: data did not match any variant of untagged enum RpcEncodingConfigWrapper.'],
  ],
  ['getTransaction', '["s",null]', 'accepted'],
  [
    'getTransaction',
    '["s",5]',
    [-32602, 'Invalid params: data did not match any variant of untagged enum RpcEncodingConfigWrapper.'],
  ],
  ['getTransaction', '["s",{"unknown":5}]', 'accepted'],
  ['simulateTransaction', '[]', [-32602, '`params` should have at least 1 argument(s)']],
  ['simulateTransaction', '["t"]', 'accepted'],
  [
    'simulateTransaction',
    '["t",{"encoding":"base64","replaceRecentBlockhash":true,"commitment":"processed"}]',
    'accepted',
  ],
  [
    'simulateTransaction',
    '["t",{"encoding":"hex"}]',
    [
      -32602,
      'Invalid params: unknown variant `hex`, expected one of `binary`, `base64`, `base58`, `json`, `jsonParsed`.',
    ],
  ],
  ['simulateTransaction', '["t",{"encoding":null}]', 'accepted'],
  [
    'simulateTransaction',
    '["t",{"sigVerify":"yes"}]',
    [-32602, 'Invalid params: invalid type: string "yes", expected a boolean.'],
  ],
  [
    'simulateTransaction',
    '["t",{"sigVerify":null}]',
    [-32602, 'Invalid params: invalid type: null, expected a boolean.'],
  ],
  ['simulateTransaction', '["t",{"accounts":{}}]', [-32602, 'Invalid params: missing field `addresses`.']],
  [
    'simulateTransaction',
    '["t",{"accounts":{"addresses":[5]}}]',
    [-32602, 'Invalid params: invalid type: integer `5`, expected a string.'],
  ],
  ['simulateTransaction', '["t",{"accounts":{"addresses":[],"encoding":"base64+zstd"}}]', 'accepted'],
  ['simulateTransaction', '["t",{"accounts":null}]', 'accepted'],
  [
    'simulateTransaction',
    '["t",{"innerInstructions":1}]',
    [-32602, 'Invalid params: invalid type: integer `1`, expected a boolean.'],
  ],
  ['simulateTransaction', '["t",{"commitment":"bogus"}]', 'accepted'],
  ['simulateTransaction', '[5]', [-32602, 'Invalid params: invalid type: integer `5`, expected a string.']],
  [
    'simulateTransaction',
    '["t","base64"]',
    [-32602, 'Invalid params: invalid type: string "base64", expected struct RpcSimulateTransactionConfig.'],
  ],
  [
    'simulateTransaction',
    '["t",{},{}]',
    [-32602, 'Invalid parameters: Expected from 1 to 2 parameters.', '"\\"Got: 3\\""'],
  ],
  [
    'sendTransaction',
    '["t",{"preflightCommitment":"bogus"}]',
    [
      -32602,
      'Invalid params: unknown variant `bogus`, expected one of `processed`, `confirmed`, `finalized`.',
    ],
  ],
  [
    'sendTransaction',
    '["t",{"maxRetries":-1}]',
    [-32602, 'Invalid params: invalid value: integer `-1`, expected usize.'],
  ],
  [
    'getAccountInfo',
    '["p",{"encoding":"foo"}]',
    [
      -32602,
      'Invalid params: unknown variant `foo`, expected one of `binary`, `base58`, `base64`, `jsonParsed`, `base64+zstd`.',
    ],
  ],
  ['getAccountInfo', '["p",{"dataSlice":{"offset":0}}]', [-32602, 'Invalid params: missing field `length`.']],
  [
    'getAccountInfo',
    '["p",{"dataSlice":{"offset":-1,"length":2}}]',
    [-32602, 'Invalid params: invalid value: integer `-1`, expected usize.'],
  ],
  [
    'getSignatureStatuses',
    '[["a"],{}]',
    [-32602, 'Invalid params: missing field `searchTransactionHistory`.'],
  ],
  [
    'getSignatureStatuses',
    '["a"]',
    [-32602, 'Invalid params: invalid type: string "a", expected a sequence.'],
  ],
  ['requestAirdrop', '["o"]', [-32602, '`params` should have at least 2 argument(s)']],
  ['requestAirdrop', '["o",-5]', [-32602, 'Invalid params: invalid value: integer `-5`, expected u64.']],
  ['getBlockTime', '[]', [-32602, 'Invalid params: invalid length 0, expected a tuple of size 1.']],
  ['getBlockTime', undefined, [-32602, 'Invalid params: invalid type: null, expected a tuple of size 1.']],
  ['getBlockTime', '[1,2]', [-32602, 'Invalid params: invalid length 2, expected fewer elements in array.']],
  [
    'getBlock',
    '[1,{"transactionDetails":"x"}]',
    [-32602, 'Invalid params: data did not match any variant of untagged enum RpcEncodingConfigWrapper.'],
  ],
  [
    'getProgramAccounts',
    '["p",{"filters":[{"dataSize":5},{"memcmp":{"offset":0,"bytes":"a"}}],"encoding":"base64","withContext":true}]',
    'accepted',
  ],
  [
    'getProgramAccounts',
    '["p",{"filters":[{"bogus":5}]}]',
    [
      -32602,
      'Invalid params: unknown variant `bogus`, expected one of `dataSize`, `memcmp`, `tokenAccountState`.',
    ],
  ],
  [
    'getProgramAccounts',
    '["p",{"filters":[{"memcmp":{"bytes":"a"}}]}]',
    [-32602, 'Invalid params: missing field `offset`.'],
  ],
  ['getTokenAccountsByOwner', '["o"]', [-32602, '`params` should have at least 2 argument(s)']],
  [
    'getTokenAccountsByOwner',
    '["o",{}]',
    [-32602, 'Invalid params: invalid value: map, expected map with a single key.'],
  ],
  [
    'getTokenAccountsByOwner',
    '["o",{"mint":"m","programId":"p"}]',
    [-32602, 'Invalid params: invalid value: map, expected map with a single key.'],
  ],
  [
    'getTokenAccountsByOwner',
    '["o",{"bogus":"m"}]',
    [-32602, 'Invalid params: unknown variant `bogus`, expected `mint` or `programId`.'],
  ],
];
