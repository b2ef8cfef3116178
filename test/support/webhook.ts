import type { Sandbox } from '../../sandbox/index.ts'

/** An input of `repo.webhook.ping`: a write by POST on the route rest, which nothing can verify. */
export function webhookIn({ store }: Sandbox) {
  const where = { owner: 'octo-org', name: 'hello-world' }
  const repository = store.repositories.find(where.owner, where.name)
  if (!repository) throw new Error('the seed has no hello-world')
  const fields = { repository, url: 'https://example.test/hook', events: ['push'] }
  return { ...where, webhookId: store.administration.addWebhook(fields).databaseId }
}
