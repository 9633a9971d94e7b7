using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Attributes in the key of a login request or refresh; an absent member has its default.</summary>
internal sealed record LoginAttributes
{
    /// <summary>Name of the user, printable.</summary>
    public string UserName { get; init; } = "";

    public string ApplicationId { get; init; } = "";

    public string ApplicationName { get; init; } = "";

    public string Position { get; init; } = "";

    /// <summary>Role of the peer; unknown values are kept.</summary>
    public LoginRole Role { get; init; } = LoginRole.Consumer; // wire/domains 2.1

    /// <summary>False when the consumer must recover lost items itself.</summary>
    public bool SingleOpen { get; init; } = true; // wire/domains 2.1

    /// <summary>False when suspect streams are closed rather than kept.</summary>
    public bool AllowSuspectData { get; init; } = true; // wire/domains 2.1

    public bool SupportOmmPost { get; init; } // wire/domains 2.2

    /// <summary>Batches that the provider accepts: 1 requests, 2 reissues, 4 closes.</summary>
    public ulong SupportBatchRequests { get; init; } // wire/domains 2.2

    /// <summary>True when the provider accepts requests for some of the fields.</summary>
    public bool SupportViewRequests { get; init; } // wire/domains 2.2

    /// <summary>True when the provider can be a standby of another one on request.</summary>
    public bool SupportStandby { get; init; } // wire/domains 2.2

    /// <summary>True when the peer supports round trips on the login stream.</summary>
    public bool RoundTripLatency { get; init; }

    /// <summary>Reads the key of a login message.</summary>
    /// <returns>False when it cannot be decoded or a known element has the wrong type.</returns>
    public static bool TryRead(scoped in MsgKey key, out LoginAttributes attributes)
    {
        attributes = new LoginAttributes { UserName = PrintableText.FromTerminated(key.Name) };
        if (!key.Has(MsgKeyFlags.HasAttrib))
            return true;
        // wire/domains 2.1
        return key.AttribType == DataType.ElementList && ElementLists.TryRead(key.Attrib, default, ref attributes, TryReadElement);
    }

    private static bool TryReadElement(scoped in ElementEntry element, ref LoginAttributes taken)
    {
        ReadOnlySpan<byte> name = element.Name;
        if (name.SequenceEqual(LoginElements.ApplicationId))
            taken = taken with { ApplicationId = PrintableText.FromTerminated(element.Content) };
        else if (name.SequenceEqual(LoginElements.ApplicationName))
            taken = taken with { ApplicationName = PrintableText.FromTerminated(element.Content) };
        else if (name.SequenceEqual(LoginElements.Position))
            taken = taken with { Position = PrintableText.FromTerminated(element.Content) };
        else
            return TryReadNumber(element, ref taken);
        return element.Type == DataType.AsciiString; // wire/domains 2.1
    }

    private static bool TryReadNumber(scoped in ElementEntry element, ref LoginAttributes taken)
    {
        ReadOnlySpan<byte> name = element.Name;
        bool isNumber = ElementLists.TryReadUInt(element, out ulong value);
        if (name.SequenceEqual(LoginElements.Role))
            taken = taken with { Role = (LoginRole)value };
        else if (name.SequenceEqual(LoginElements.SingleOpen))
            taken = taken with { SingleOpen = value != 0 };
        else if (name.SequenceEqual(LoginElements.AllowSuspectData))
            taken = taken with { AllowSuspectData = value != 0 };
        else if (name.SequenceEqual(LoginElements.SupportOmmPost))
            taken = taken with { SupportOmmPost = value != 0 };
        else if (name.SequenceEqual(LoginElements.SupportBatchRequests))
            taken = taken with { SupportBatchRequests = value };
        else if (name.SequenceEqual(LoginElements.SupportViewRequests))
            taken = taken with { SupportViewRequests = value != 0 };
        else if (name.SequenceEqual(LoginElements.SupportStandby))
            taken = taken with { SupportStandby = value != 0 };
        else if (name.SequenceEqual(LoginElements.RoundTripLatency))
            taken = taken with { RoundTripLatency = value == LoginElements.RoundTripLatencyOn };
        else
            return true;
        return isNumber; // wire/domains 2.1
    }
}

/// <summary>Names of the login elements that we use.</summary>
internal static class LoginElements // wire/domains 2.1
{
    /// <summary>The value that requests, or offers, round trips on the login stream.</summary>
    public const ulong RoundTripLatencyOn = 2; // wire/domains 9

    public static ReadOnlySpan<byte> ApplicationId => "ApplicationId"u8;
    public static ReadOnlySpan<byte> ApplicationName => "ApplicationName"u8;
    public static ReadOnlySpan<byte> Position => "Position"u8;
    public static ReadOnlySpan<byte> Role => "Role"u8;
    public static ReadOnlySpan<byte> SingleOpen => "SingleOpen"u8;
    public static ReadOnlySpan<byte> AllowSuspectData => "AllowSuspectData"u8;
    public static ReadOnlySpan<byte> SupportOmmPost => "SupportOMMPost"u8;
    public static ReadOnlySpan<byte> SupportBatchRequests => "SupportBatchRequests"u8;
    public static ReadOnlySpan<byte> SupportViewRequests => "SupportViewRequests"u8;
    public static ReadOnlySpan<byte> SupportStandby => "SupportStandby"u8;
    public static ReadOnlySpan<byte> RoundTripLatency => "RoundTripLatency"u8;
    public static ReadOnlySpan<byte> Ticks => "Ticks"u8; // wire/domains 9
    public static ReadOnlySpan<byte> TcpRetransmissions => "TcpRetrans"u8; // wire/domains 9
}
