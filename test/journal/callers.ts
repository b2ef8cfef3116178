/** Two callers and an operator. */
export const KEYS = [
  { name: 'alice', secret: 'alice-secret-0123456789' },
  { name: 'bob', secret: 'bob-secret-0123456789' },
  { name: 'root', secret: 'root-secret-0123456789', operator: true },
]

export function authorize(caller: string) {
  return { authorization: `Bearer ${caller}-secret-0123456789` }
}
