using System.Security.Cryptography;
using System.Text;
using PerfCommon;
using PerfTools.Hosting.Options;

namespace PerfTools.Hosting.Control;

/// <summary>Decides which clients may read and change the settings of a running program.</summary>
/// <remarks>Those that know its token, or, without one, programs of this host that are no web pages.</remarks>
/// <param name="token">The token; null for none.</param>
internal sealed class ControlAccess(string? token)
{
    private const string Bearer = "Bearer ";
    private const string Granted = "1";

    private readonly byte[]? _token = token is null ? null : Encoding.UTF8.GetBytes(token);

    /// <summary>Reads the token that the options name.</summary>
    /// <exception cref="SetupException">It cannot be read, is empty, or is missing where other hosts can connect.</exception>
    public static ControlAccess Of(ControlOptions options)
    {
        string? token = options.TakesChanges ? options.Token.Reveal() : null;
        if (token is "")
            throw new SetupException(SetupProblem.InputFile, "-controlToken: the token is empty");
        if (options.TakesChanges && token is null && !options.IsLocal)
        {
            string ways = $"-controlToken @file or {ControlOptions.TokenVariable}";
            throw new SetupException(SetupProblem.CommandLine, $"-controlHost {options.Host} needs a token: {ways}");
        }

        return new(token);
    }

    /// <summary>Returns the refusal of a request; null when it may be answered.</summary>
    public ControlReply? Refuse(ControlRequest request)
    {
        if (_token is null)
        {
            string header = $"{ControlRequest.OwnHeader}: {Granted}";
            return request.Own == Granted ? null : ControlReply.Refuse(ControlReply.Forbidden, $"send the header {header}");
        }

        string? given = request.Authorization;
        bool isKnown = given is not null && given.StartsWith(Bearer, StringComparison.Ordinal)
            && CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(given[Bearer.Length..]), _token);
        return isKnown ? null : ControlReply.Refuse(ControlReply.Unauthorized, "send the token of this run: Authorization: Bearer <token>");
    }
}
