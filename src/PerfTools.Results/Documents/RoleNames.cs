namespace PerfTools.Results.Documents;

/// <summary>Names of roles that several scenarios use.</summary>
internal static class RoleNames
{
    public const string Provider = "provider";
    public const string Publisher = "publisher";
    public const string Hub = "hub";
    public const string Consumer = "consumer";

    /// <summary>Several processes, as links name them: <c>source-1</c>, <c>source-2</c>; <c>users-1</c>, <c>users-2</c>.</summary>
    public const string Sources = "sources";
    public const string Users = "users";

    /// <summary>True for a role that is one of those that a link names together.</summary>
    public static bool IsOneOf(string role, string several) => several is Sources or Users
        && role.StartsWith(several == Sources ? "source-" : "users-", StringComparison.Ordinal);
}
