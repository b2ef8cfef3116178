/** The variables that send the GitHub pack to a sandbox. */
export function githubEnv(sandboxUrl: string) {
  return {
    GITHUB_API_URL: sandboxUrl,
    GITHUB_GRAPHQL_URL: `${sandboxUrl}/graphql`,
    GITHUB_UPLOAD_URL: sandboxUrl,
    GITHUB_TOKEN: 'sandbox-token',
  }
}
