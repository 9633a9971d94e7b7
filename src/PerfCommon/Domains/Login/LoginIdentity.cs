using System.Net;
using System.Net.Sockets;

namespace PerfCommon.Domains;

/// <summary>The user and program in a login request.</summary>
public sealed record LoginIdentity
{
    /// <summary>Name of the user.</summary>
    public required string UserName { get; init; }

    /// <summary>Name of the program, such as <c>ConsPerf</c>.</summary>
    public required string ApplicationName { get; init; }

    /// <summary>Number of the program, as text.</summary>
    public string ApplicationId { get; init; } = "256";

    /// <summary>Address and host of the user, <see cref="LoginPosition"/>.</summary>
    public required string Position { get; init; }

    /// <summary>Role of the program.</summary>
    public LoginRole Role { get; init; } = LoginRole.Consumer;

    /// <summary>True when the peer is to recover lost items, false when not; null omits the element.</summary>
    public bool? SingleOpen { get; init; }

    /// <summary>True to allow the provider to measure round trips on the login stream.</summary>
    public bool RoundTripLatency { get; init; }

    /// <summary>Returns the user and the program of this process, at this machine's address.</summary>
    public static LoginIdentity OfThisProcess() => new()
    {
        UserName = Environment.UserName,
        ApplicationName = AppDomain.CurrentDomain.FriendlyName,
        Position = LoginPosition.FindLocal(),
    };
}

/// <summary>Attributes of a provider in its answers to logins.</summary>
public sealed record LoginOffer
{
    /// <summary>Bit of batches that request items.</summary>
    internal const ulong BatchRequests = 1; // wire/domains 2.2

    /// <summary>Bit of batches that close items.</summary>
    internal const ulong BatchCloses = 4; // wire/domains 2.2

    /// <summary>The batches that a <see cref="Sessions.ProviderSession"/> accepts: requests and closes, no reissues.</summary>
    internal const ulong AllBatches = BatchRequests | BatchCloses;

    /// <summary>Name of the program, such as <c>ProvPerf</c>.</summary>
    public required string ApplicationName { get; init; }

    /// <summary>Number of the program, as text.</summary>
    public string ApplicationId { get; init; } = "256";

    /// <summary>Position of the provider, <see cref="LoginPosition"/>.</summary>
    public required string Position { get; init; }

    /// <summary>True when the provider recovers lost items for its consumers.</summary>
    public bool SingleOpen { get; init; }

    /// <summary>True when posts are answered.</summary>
    public bool SupportOmmPost { get; init; }

    /// <summary>Accepted batches (1 requests, 2 reissues, 4 closes); null omits the element.</summary>
    public ulong? SupportBatchRequests { get; init; }

    /// <summary>True when a consumer may request some of the fields (a view).</summary>
    public bool SupportViewRequests { get; init; }

    /// <summary>True when a consumer may use it as the standby of another provider (warm standby).</summary>
    public bool SupportStandby { get; init; }

    /// <summary>True to measure round trips with consumers that request it.</summary>
    public bool RoundTripLatency { get; init; }

    /// <summary>Returns the program of this process, at this machine's address.</summary>
    public static LoginOffer OfThisProcess() => new()
    {
        ApplicationName = AppDomain.CurrentDomain.FriendlyName,
        Position = LoginPosition.FindLocal(),
        SupportBatchRequests = AllBatches,
        SupportViewRequests = true,
        SupportStandby = true,
    };
}

/// <summary>Role of the side that logs in; the element <c>Role</c>.</summary>
public enum LoginRole : byte // wire/domains 2.1
{
    /// <summary>Requests data.</summary>
    Consumer = 0,

    /// <summary>Publishes data without a request.</summary>
    Provider = 1,
}

/// <summary>Determines the position of a login: the host's address and name.</summary>
internal static class LoginPosition
{
    private const string Unknown = "1.1.1.1/net"; // wire/domains 2.1

    /// <summary>Queries the system for the first IPv4 address of this host. This may be slow: call it once, at the start.</summary>
    /// <returns>The position, or <c>1.1.1.1/net</c> when the host's address is unknown.</returns>
    public static string FindLocal()
    {
        try
        {
            string host = Dns.GetHostName();
            IPAddress[] found = Dns.GetHostAddresses(host, AddressFamily.InterNetwork);
            return found.Length == 0 ? Unknown : $"{found[0]}/{host}";
        }
        catch (SocketException)
        {
            return Unknown;
        }
    }
}
