namespace PerfCommon.Domains;

/// <summary>What the side that logs in is; the element <c>Role</c>.</summary>
public enum LoginRole : byte
{
    /// <summary>Asks for data.</summary>
    Consumer = 0,

    /// <summary>Publishes data without being asked.</summary>
    Provider = 1,
}
