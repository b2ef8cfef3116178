import type { Team } from '../../store/review-entities.ts'

/** A team inside a pull request, without its parent. */
export function askedTeamJson(team: Team, origin: string) {
  const { parent: _parent, ...asked } = teamJson(team, origin)
  return asked
}

export function teamJson({ databaseId, nodeId, organization, slug, name }: Team, origin: string) {
  const url = `${origin}/organizations/${organization.databaseId}/team/${databaseId}`
  return {
    id: databaseId,
    node_id: nodeId,
    url,
    html_url: `https://github.com/orgs/${organization.login}/teams/${slug}`,
    name,
    slug,
    description: null,
    privacy: 'closed',
    notification_setting: 'notifications_enabled',
    permission: 'push',
    members_url: `${url}/members{/member}`,
    repositories_url: `${url}/repos`,
    type: 'organization',
    organization_id: organization.databaseId,
    parent: null,
  }
}
