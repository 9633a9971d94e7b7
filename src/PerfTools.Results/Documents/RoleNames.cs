namespace PerfTools.Results.Documents;

/// <summary>Names of roles that several scenarios use.</summary>
internal static class RoleNames
{
    public const string Provider = "provider";
    public const string Publisher = "publisher";
    public const string Hub = "hub";
    public const string Consumer = "consumer";
}
