/** A license that GitHub recognizes in a repository. */
export interface License {
  readonly nodeId: string
  readonly key: string
  readonly name: string
  readonly spdxId: string
}

export const licenses = {
  mit: { nodeId: 'MDc6TGljZW5zZTEz', key: 'mit', name: 'MIT License', spdxId: 'MIT' },
} as const satisfies Record<string, License>
