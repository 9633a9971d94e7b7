using System.Net.Http.Headers;
using System.Text.Json;
using PerfCommon;
using PerfTools.Hosting.Control;

namespace PerfTools.Control;

/// <summary>Reads and changes the settings of a running role.</summary>
internal sealed class ControlClient : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(5);

    private readonly HttpClient _http = new(new SocketsHttpHandler { UseProxy = false }) { Timeout = Limit };

    /// <summary>Sets values, if any are given, and reads the settings of a role.</summary>
    /// <param name="role">The role.</param>
    /// <param name="values">Lines name=value; empty to read only.</param>
    /// <returns>The settings in force now.</returns>
    /// <exception cref="SetupException">It cannot be reached (exit code 4), or refuses (2).</exception>
    public JsonElement Request(ControlledRole role, IReadOnlyList<string> values)
    {
        using HttpRequestMessage request = new(values.Count > 0 ? HttpMethod.Post : HttpMethod.Get, $"http://{role.Address}/control");
        if (values.Count > 0)
            request.Content = new StringContent(string.Join('\n', values));
        if (role.Token is { } token)
            request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", token);
        else
            request.Headers.Add(ControlRequest.OwnHeader, "1");
        try
        {
            using HttpResponseMessage response = _http.Send(request);
            using StreamReader text = new(response.Content.ReadAsStream());
            string answer = text.ReadToEnd();
            return response.IsSuccessStatusCode
                ? JsonElement.Parse(answer) : throw new SetupException(SetupProblem.CommandLine, $"{role.Name}: {answer.TrimEnd()}");
        }
        catch (Exception cause) when (cause is HttpRequestException or TaskCanceledException or IOException or JsonException)
        {
            throw new SetupException(SetupProblem.NotStarted, $"{role.Name} at {role.Address}: {cause.Message}", cause);
        }
    }

    public void Dispose() => _http.Dispose();
}
