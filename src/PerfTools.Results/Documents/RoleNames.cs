namespace PerfTools.Results.Documents;

/// <summary>Names of roles that several scenarios use.</summary>
internal static class RoleNames
{
    public const string Provider = "provider";
    public const string Publisher = "publisher";
    public const string Hub = "hub";
    public const string Consumer = "consumer";

    /// <summary>
    /// Several processes, as links name them: <c>source-1</c>, <c>source-2</c>; <c>users-1</c>, <c>users-2</c>; <c>consumer-1</c>, <c>consumer-2</c>.
    /// </summary>
    public const string Sources = "sources";
    public const string Users = "users";
    public const string Consumers = "consumers";
    public const string Providers = "providers";
    public const string Publishers = "publishers";
    public const string Clients = "clients";

    private const string Separator = ", ";

    /// <summary>True for a role that is one of those that a link names together.</summary>
    public static bool IsOneOf(string role, string several) => several switch
    {
        Sources => role.StartsWith("source-", StringComparison.Ordinal),
        Users => role.StartsWith("users-", StringComparison.Ordinal),
        Consumers => role.StartsWith("consumer-", StringComparison.Ordinal),
        Providers => role.StartsWith("provider-", StringComparison.Ordinal),
        Publishers => role.StartsWith("publisher-", StringComparison.Ordinal),
        Clients => role.StartsWith("client-", StringComparison.Ordinal),
        _ => false,
    };

    /// <summary>True for a role that a link names, alone, together with all of its kind, or in a list.</summary>
    public static bool IsNamedBy(string link, string role) => link.Split(Separator).Any(name => name == role || IsOneOf(role, name));

    /// <summary>Some processes, as the end of a link names them.</summary>
    public static string List(IEnumerable<string> roles) => string.Join(Separator, roles);

    /// <summary>The name of several processes of a role together.</summary>
    public static string Several(string role) => role + "s";

    /// <summary>The name of one of several processes of a role.</summary>
    /// <param name="role">The role.</param>
    /// <param name="number">The number of the process, from 1.</param>
    public static string OneOf(string role, int number) => FormattableString.Invariant($"{role}-{number}");
}
