using PerfTools.Results.Documents;
using PerfTools.Results.Files;

namespace PerfTools.Scenarios.Users;

/// <summary>Reads the links between the roles of a ramp, one for each kind of message.</summary>
/// <remarks>A link to a role that is absent, or not ours, has no counts on its side. Posts are included when there were any.</remarks>
internal static class RampLinks
{
    private const string Hub = RoleNames.Hub;
    private const string Sources = RoleNames.Sources;
    private const string Users = RoleNames.Users;
    private const string Posts = "posts";
    private const string Unwatched = "copiesUnwatched";

    /// <summary>Reads them from the final lines of the roles.</summary>
    /// <param name="roles">All roles.</param>
    /// <param name="isWhole">False when roles are missing.</param>
    public static IEnumerable<LinkResult> Read(IReadOnlyList<UsersRole> roles, bool isWhole)
    {
        UsersRole[] sources = [.. roles.Where(role => role.Tool == ToolNames.Source)],
            users = [.. roles.Where(role => role.Tool == ToolNames.Users)];
        JsonView hub = new(roles.FirstOrDefault(role => role.Tool == ToolNames.Hub)?.Final);
        bool isComparable = isWhole && roles.All(role => role.Final is { } final && !new JsonView(final).IsFalse("comparable"));
        long? Of(params string[] counters) => hub.Exists ? counters.Sum(counter => hub.Count("overall.counts." + counter)) : null;
        LinkResult Link(string from, string to, string what, long? sent, long? received, long? lost, long? notSent) => new()
        {
            From = from,
            To = to,
            What = what,
            Sent = sent,
            Received = received,
            Lost = lost,
            NotSent = notSent,
            Comparable = isComparable && sent is not null && received is not null,
        };
        yield return Link(Sources, Hub, "updates", Sum(sources, "updatesSent"), Of("updatesReceived"), 0, Sum(sources, "updatesNotSent"));
        yield return Link(Hub, Hub, "copies due", Of("copiesDue"), Of("updatesSent"),
            Of("updatesConflated", "updatesDropped", "updatesNotSent", Unwatched), 0) with
        { Unwatched = Of(Unwatched) ?? 0 };
        yield return Link(Hub, Users, "updates", Of("updatesSent", "postsReflected"), Sum(users, "updatesReceived"), 0,
            Of("updatesConflated", "updatesDropped"));
        yield return Link(Hub, Users, "images", Of("imagesSent"), Sum(users, "refreshesReceived"), 0, Of("imagesNotSent"));
        if (Sum(users, "postsSent") is null or 0 && Of("postsReceived") is null or 0)
            yield break;
        yield return Link(Users, Hub, Posts, Sum(users, "postsSent"), Of("postsReceived"), 0, Sum(users, "postsNotSent"));
        yield return Link(Hub, Hub, "posts passed on", Of("postsReceived", "postsCopied"), Of("postsReflected"),
            Of("postsRefused", "postsNotReflected"), 0) with
        { Unwatched = Of("postsUnwatched") ?? 0 };
    }

    private static long? Sum(UsersRole[] roles, string counter) =>
        roles.Length > 0 && Array.TrueForAll(roles, role => role.Final is not null)
        ? roles.Sum(role => new JsonView(role.Final).Count("overall.counts." + counter)) : null;
}
