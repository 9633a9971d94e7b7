using System.Net;
using System.Net.Sockets;

namespace PerfCommon.Domains;

/// <summary>Who a login request says is there.</summary>
public sealed record LoginIdentity
{
    /// <summary>Name of the user.</summary>
    public required string UserName { get; init; }

    /// <summary>Name of the program, such as <c>ConsPerf</c>.</summary>
    public required string ApplicationName { get; init; }

    /// <summary>Number of the program, as text.</summary>
    public string ApplicationId { get; init; } = "256";

    /// <summary>Where the user is: address and host, <see cref="LoginPosition"/>.</summary>
    public required string Position { get; init; }

    /// <summary>What the program is to the peer.</summary>
    public LoginRole Role { get; init; } = LoginRole.Consumer;

    /// <summary>True when the peer is to recover lost items, false when not; null leaves the element out.</summary>
    public bool? SingleOpen { get; init; }

    /// <summary>True to let the provider measure round trips on the login stream.</summary>
    public bool RoundTripLatency { get; init; }

    /// <summary>The user and the program of this process, at this machine's address.</summary>
    public static LoginIdentity OfThisProcess() => new()
    {
        UserName = Environment.UserName,
        ApplicationName = AppDomain.CurrentDomain.FriendlyName,
        Position = LoginPosition.FindLocal(),
    };
}

/// <summary>What a provider says of itself to everybody who logs in.</summary>
public sealed record LoginOffer
{
    /// <summary>Bit of the batches that request items.</summary>
    internal const ulong BatchRequests = 1; // wire/domains 2.2

    /// <summary>Bit of the batches that close them.</summary>
    internal const ulong BatchCloses = 4; // wire/domains 2.2

    /// <summary>The batches that a <see cref="Sessions.ProviderSession"/> takes: requests and closes, no reissues.</summary>
    internal const ulong AllBatches = BatchRequests | BatchCloses;

    /// <summary>Name of the program, such as <c>ProvPerf</c>.</summary>
    public required string ApplicationName { get; init; }

    /// <summary>Number of the program, as text.</summary>
    public string ApplicationId { get; init; } = "256";

    /// <summary>Where the provider is, <see cref="LoginPosition"/>.</summary>
    public required string Position { get; init; }

    /// <summary>True when the provider recovers lost items for its consumers.</summary>
    public bool SingleOpen { get; init; }

    /// <summary>True when posts are answered.</summary>
    public bool SupportOmmPost { get; init; }

    /// <summary>Which batches are taken (1 requests, 2 reissues, 4 closes); null leaves the element out.</summary>
    public ulong? SupportBatchRequests { get; init; }

    /// <summary>True when a consumer may ask for some of the fields (a view).</summary>
    public bool SupportViewRequests { get; init; }

    /// <summary>True when a consumer may have it stand by for another provider (warm standby).</summary>
    public bool SupportStandby { get; init; }

    /// <summary>True to measure round trips with consumers that ask for it.</summary>
    public bool RoundTripLatency { get; init; }

    /// <summary>The program of this process, at this machine's address.</summary>
    public static LoginOffer OfThisProcess() => new()
    {
        ApplicationName = AppDomain.CurrentDomain.FriendlyName,
        Position = LoginPosition.FindLocal(),
        SupportBatchRequests = AllBatches,
        SupportViewRequests = true,
        SupportStandby = true,
    };
}

/// <summary>What the side that logs in is; the element <c>Role</c>.</summary>
public enum LoginRole : byte // wire/domains 2.1
{
    /// <summary>Asks for data.</summary>
    Consumer = 0,

    /// <summary>Publishes data without being asked.</summary>
    Provider = 1,
}

/// <summary>The position of a login: the host's address and name.</summary>
internal static class LoginPosition
{
    private const string Unknown = "1.1.1.1/net"; // wire/domains 2.1

    /// <summary>Asks the system for the first IPv4 address of this host. May take a while: ask once, at the start.</summary>
    /// <returns>The position, or <c>1.1.1.1/net</c> when the host does not know its own address.</returns>
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
